// From rows to the weights of tree nodes, for a choice of threads, time, activities, states, a system call, a wait and
// visible kinds of frame.
// Two linear passes: rows into their nodes, nodes into their parents.
import { folds, RunTracker } from './folding';
import { BLOCKED, GC, hasStates, isOfRuntime, JIT, KINDS, MANAGED, runtimeRow, STATES, type Frames, type Report, type Rows, type Tree } from '../data/data';

export interface Filter {
  threads: Uint8Array; // per thread: 1 = counted
  from: number; // buckets [from, to)
  to: number;
  hiddenActivities: number; // bit per activity: its samples are left out
  hiddenStates: number; // bit per state
  call: number; // only samples in this system call; 0: in any or none
  wait: number; // only samples in this wait; 0: in any or none
  label: number; // index into Report.kinds, where `kind` is not 0
  kind: number; // only samples whose label says this: index into its texts, plus 1; 0: any
}

export interface Totals {
  self: Float64Array;
  total: Float64Array;
  selfCount: Float64Array;
  totalCount: Float64Array;
  gc: Float64Array; // part of total spent in garbage collection
  jit: Float64Array;
  states: Float64Array[]; // by state; empty where the event does not tell them apart
}

// The tree without frames of hidden kinds, and with runs of frames folded: the time of hidden ones belongs to the nearest
// visible caller. The runtime's belongs to
// the method that called it: where that is not the nearest, it has a row of its own.
export interface VisibleTree extends Tree {
  map: Uint32Array; // node of the report → node here that has its time
  place: Uint32Array; // node of the report → node here under which what it calls hangs
  first: Uint32Array; // node here → one node of the report it stands for
  folded: Uint32Array; // node here → of how many frames at most it is a run; 0: of none
}

export function allOf(report: Report): Filter {
  return {
    threads: new Uint8Array(report.meta.threads.length).fill(1),
    from: 0,
    to: report.meta.buckets,
    hiddenActivities: 0,
    hiddenStates: 0,
    call: 0,
    wait: 0,
    label: 0,
    kind: 0,
  };
}

export function visibleTree(tree: Tree, frames: Frames, hiddenKinds: number, folding = 0): VisibleTree {
  const count = tree.parent.length;
  if (hiddenKinds === 0 && folding === 0 && !tree.split) {
    const same = Uint32Array.from({ length: count }, (_, i) => i);
    return { ...tree, map: same, place: same, first: same, folded: new Uint32Array(count) };
  }
  const most = 2 * count; // each node may have a runtime row
  const parent = new Uint32Array(most);
  const frame = new Uint32Array(most);
  const first = new Uint32Array(most);
  const folded = new Uint32Array(most);
  const tracker = new RunTracker(count, frames.runs);
  const place = new Uint32Array(count);
  const map = new Uint32Array(count);
  // Node of the report → the nearest visible frame's kind, which a run's may not be.
  const kindThere = new Uint8Array(count).fill(KINDS.indexOf('other'));
  const known = new Map<number, number>();
  let size = 1;
  const child = (up: number, f: number, i: number) => {
    const key = up * frames.name.length + f;
    let node = known.get(key);
    if (node === undefined) {
      node = size++;
      known.set(key, node);
      parent[node] = up;
      frame[node] = f;
      first[node] = i;
    }
    return node;
  };
  for (let i = 1; i < count; i++) {
    const up = place[tree.parent[i]!]!;
    const f = tree.frame[i]!;
    const kind = frames.kind[f]!;
    const caller = tree.parent[i]!;
    if (hiddenKinds & (1 << kind)) {
      tracker.pass(i, caller);
      kindThere[i] = kindThere[caller]!;
      const called = kindThere[i] === MANAGED;
      place[i] = up;
      map[i] = isOfRuntime(kind) && !called ? child(up, runtimeRow(frames), i) : up;
      continue;
    }
    kindThere[i] = kind;
    if (folds(frames.runs.origin[f]!, folding)) {
      const run = tracker.add(i, caller, f, up);
      map[i] = place[i] = child(run.hangsOn, run.frame, i);
      folded[map[i]!] = Math.max(folded[map[i]!]!, run.count);
    } else {
      map[i] = place[i] = child(up, f, i);
      tracker.show(i, caller, f);
    }
  }
  const cut = (column: Uint32Array) => column.slice(0, size);
  return { split: false, parent: cut(parent), frame: cut(frame), first: cut(first), folded: cut(folded), map, place };
}

// How two amounts of the event become one: of a heap's size the larger one counts.
export const adder = ({ source }: Pick<Report, 'source'>): ((a: number, b: number) => number) =>
  source.adding === 'max' ? Math.max : (a, b) => a + b;

export function aggregate(report: Report, tree: VisibleTree, filter: Filter): Totals {
  const nodes = tree.parent.length;
  const array = () => new Float64Array(nodes);
  const totals: Totals = {
    self: array(),
    total: array(),
    selfCount: array(),
    totalCount: array(),
    gc: array(),
    jit: array(),
    states: hasStates(report) ? STATES.map(array) : [],
  };
  addRows(report, tree, filter, totals);
  totals.total.set(totals.self);
  totals.totalCount.set(totals.selfCount);
  const { total, totalCount, gc, jit, states } = totals;
  const add = adder(report);
  for (let i = nodes - 1; i > 0; i--) {
    const up = tree.parent[i]!;
    total[up] = add(total[up]!, total[i]!);
    totalCount[up]! += totalCount[i]!;
    gc[up] = add(gc[up]!, gc[i]!);
    jit[up] = add(jit[up]!, jit[i]!);
    for (const state of states) state[up] = add(state[up]!, state[i]!);
  }
  return totals;
}

// What a thread is blocked in: a system call, or a method that waits and its caller.
export type BlockedIn = 'call' | 'wait';

// Whether row `i` counts, whatever its thread, activity, state, call, wait or label: `but` is the one that is not looked at.
type Aspect = 'thread' | 'activity' | 'state' | 'kind' | BlockedIn;
export function counts(rows: Rows, filter: Filter, i: number, but?: Aspect): boolean {
  if (but !== 'thread' && !filter.threads[rows.thread[i]!]) return false;
  if (but !== 'activity' && filter.hiddenActivities & (1 << rows.activity[i]!)) return false;
  if (but !== 'state' && filter.hiddenStates & (1 << rows.state[i]!)) return false;
  if (but !== 'kind' && filter.kind !== 0 && rows.kinds[filter.label]![i] !== filter.kind - 1) return false;
  if (but !== 'call' && filter.call !== 0 && rows.call[i] !== filter.call) return false;
  return but === 'wait' || filter.wait === 0 || rows.wait[i] === filter.wait;
}

function addRows(report: Report, tree: VisibleTree, filter: Filter, totals: Totals): void {
  const { rows } = report;
  const { start, node, weight, count, activity, state } = rows;
  const { self, selfCount, gc, jit, states } = totals;
  const end = start[filter.to]!;
  const add = adder(report);
  for (let i = start[filter.from]!; i < end; i++) {
    if (!counts(rows, filter, i)) continue;
    const n = tree.map[node[i]!]!;
    const w = weight[i]!;
    const what = activity[i]!;
    self[n] = add(self[n]!, w);
    selfCount[n]! += count[i]!;
    if (what === GC) gc[n] = add(gc[n]!, w);
    else if (what === JIT) jit[n] = add(jit[n]!, w);
    const inState = states[state[i]!];
    if (inState) inState[n] = add(inState[n]!, w);
  }
}

// The weight of the rows in the chosen time by `of`, with all that the filter chooses but one aspect.
function sumBy(report: Report, filter: Filter, of: ArrayLike<number>, size: number, but: Aspect): Float64Array {
  const out = new Float64Array(size);
  const { start, weight } = report.rows;
  const end = start[filter.to]!;
  const add = adder(report);
  for (let i = start[filter.from]!; i < end; i++) {
    if (of[i]! < size && counts(report.rows, filter, i, but)) out[of[i]!] = add(out[of[i]!]!, weight[i]!);
  }
  return out;
}

// By thread, those that are not chosen included.
export const threadWeights = (report: Report, filter: Filter): Float64Array =>
  sumBy(report, filter, report.rows.thread, report.meta.threads.length, 'thread');
// By activity, hidden ones included.
export const activityWeights = (report: Report, filter: Filter, activities: number): Float64Array =>
  sumBy(report, filter, report.rows.activity, activities, 'activity');
// By state, hidden ones included.
export const stateWeights = (report: Report, filter: Filter): Float64Array =>
  sumBy(report, filter, report.rows.state, STATES.length, 'state');

export interface PartRow {
  index: number; // into Report.calls, Report.waits, or a label's texts
  weight: number;
  samples: number;
}

// Blocked time by system call or by wait, heaviest first; those that are not chosen included.
export function blockedBy(report: Report, filter: Filter, by: BlockedIn): PartRow[] {
  const size = by === 'call' ? report.calls.length : report.waits.length;
  return partsBy(report, filter, report.rows[by], size, by, (i) => report.rows.state[i] === BLOCKED);
}

// The weight by what a label says, heaviest first; what is not chosen included.
export function kindsBy(report: Report, filter: Filter, label: number): PartRow[] {
  const but = filter.label === label ? 'kind' : undefined;
  return partsBy(report, filter, report.rows.kinds[label]!, report.kinds[label]!.texts.length, but, () => true);
}

function partsBy(
  report: Report,
  filter: Filter,
  of: ArrayLike<number>,
  size: number,
  but: Aspect | undefined,
  belongs: (i: number) => boolean,
): PartRow[] {
  const rows = Array.from({ length: size }, (_, index) => ({ index, weight: 0, samples: 0 }));
  const { start, weight, count } = report.rows;
  const end = start[filter.to]!;
  const add = adder(report);
  for (let i = start[filter.from]!; i < end; i++) {
    if (!belongs(i) || !counts(report.rows, filter, i, but)) continue;
    const row = rows[of[i]!]!;
    row.weight = add(row.weight, weight[i]!);
    rows[of[i]!]!.samples += count[i]!;
  }
  return rows.filter((row) => row.samples > 0).sort((a, b) => b.weight - a.weight || a.index - b.index);
}
