// Runs of frames that are shown as one, "(+7 System.Linq)": those that are not the program's own, or those that run async
// methods. profile/query/folding.h says which frames are in a run and what it is called; this sums as it does.
import { KINDS, type Frames } from '../data/data';

export const FOLDINGS = ['none', 'async', 'my code'] as const;
export const FOLD_ASYNC = FOLDINGS.indexOf('async');
export const FOLD_OTHERS = FOLDINGS.indexOf('my code');
const FRAMEWORK = 1;
const ASYNC = 2;
const MARKER = 3;
const RUNTIME_RUN = 'runtime';

// What of the frames says how they fold. By frame.
export interface Runs {
  origin: Uint8Array; // profile::Origin
  frame: Uint32Array; // the one that stands for a run that is called after it
  rank: Uint8Array; // the highest in a run is what it is called after, the outermost of equal ones
  rankAtRoot: Uint8Array; // where nothing is outside of the run
}

export const noRuns = (frames: number): Runs => ({
  origin: new Uint8Array(frames),
  frame: new Uint32Array(frames),
  rank: new Uint8Array(frames),
  rankAtRoot: new Uint8Array(frames),
});

export function folds(origin: number, folding: number): boolean {
  return folding === FOLD_OTHERS ? origin === FRAMEWORK || origin === ASYNC : folding === FOLD_ASYNC && origin === ASYNC;
}

// Behind the frames those of their runs. texts: what a run is called after each.
export function withRunFrames(frames: Frames, texts: string[]): Frames {
  const known = new Map<string, number>();
  const name = [...frames.name];
  const kind = Array.from(frames.kind);
  const frame = texts.map((text, i) => {
    if (!folds(frames.runs.origin[i]!, FOLD_OTHERS)) return 0;
    const ofKind = text === RUNTIME_RUN ? KINDS.indexOf('runtime') : frames.kind[i]!;
    const key = `${ofKind} ${text}`;
    if (!known.has(key)) {
      known.set(key, name.push(`(${text})`) - 1);
      kind.push(ofKind);
    }
    return known.get(key)!;
  });
  const more = name.length - frames.name.length;
  const longer = (column: Uint8Array | Uint32Array) => [...column, ...new Array<number>(more).fill(0)];
  const empty = new Array<string>(more).fill('');
  return {
    name,
    raw: [...frames.raw, ...empty],
    module: [...frames.module, ...empty],
    kind: Uint8Array.from(kind),
    own: Uint32Array.from(longer(frames.own)),
    inlined: Uint8Array.from(longer(frames.inlined)),
    tier: [...frames.tier, ...empty],
    runs: {
      origin: Uint8Array.from(longer(frames.runs.origin)),
      frame: Uint32Array.from([...frame, ...new Array<number>(more).fill(0)]),
      rank: Uint8Array.from(longer(frames.runs.rank)),
      rankAtRoot: Uint8Array.from(longer(frames.runs.rankAtRoot)),
    },
  };
}

// The run that each node is part of, node by node from the root on.
export class RunTracker {
  private readonly hangsOn: Uint32Array;
  private readonly count: Uint32Array;
  private readonly frame: Uint32Array;
  private readonly rank: Uint8Array;
  private readonly outside: Uint8Array; // 1: outside of all code, as the root is, or a marker such as a process
  private readonly atRoot: Uint8Array; // 1: nothing else is outside of its run

  constructor(
    nodes: number,
    private readonly runs: Runs,
  ) {
    this.outside = new Uint8Array(nodes);
    this.outside[0] = 1;
    this.atRoot = new Uint8Array(nodes);
    this.hangsOn = new Uint32Array(nodes);
    this.count = new Uint32Array(nodes);
    this.frame = new Uint32Array(nodes);
    this.rank = new Uint8Array(nodes);
  }

  // A node that is not shown: what it calls goes on with the run it is in.
  pass(node: number, caller: number): void {
    this.hangsOn[node] = this.hangsOn[caller]!;
    this.count[node] = this.count[caller]!;
    this.frame[node] = this.frame[caller]!;
    this.rank[node] = this.rank[caller]!;
    this.outside[node] = this.outside[caller]!;
    this.atRoot[node] = this.atRoot[caller]!;
  }

  // A node that is shown as it is.
  show(node: number, caller: number, frame: number): void {
    this.outside[node] = Number(this.outside[caller] === 1 && this.runs.origin[frame] === MARKER);
  }

  // A node of a run. place: of its caller. Returns what the run hangs on, the frame that stands for it, and how many
  // frames it has by now.
  add(node: number, caller: number, frame: number, place: number): { hangsOn: number; frame: number; count: number } {
    this.pass(node, caller);
    this.outside[node] = 0;
    const begins = this.count[caller] === 0;
    if (begins) {
      this.hangsOn[node] = place;
      this.atRoot[node] = this.outside[caller]!;
    }
    const rank = (this.atRoot[node] === 1 ? this.runs.rankAtRoot : this.runs.rank)[frame]!;
    if (begins || rank > this.rank[node]!) {
      this.rank[node] = rank;
      this.frame[node] = this.runs.frame[frame]!;
    }
    this.count[node]!++;
    return { hangsOn: this.hangsOn[node]!, frame: this.frame[node]!, count: this.count[node]! };
  }
}

// "(+7 System.Linq)" of "(System.Linq)".
export const runName = (name: string, count: number) => `(+${count} ${name.slice(1)}`;
