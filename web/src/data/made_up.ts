// Small reports for unit tests, from stacks written as "root;caller;leaf".
import { noRuns } from '../model/folding';
import { NO_MOMENTS } from './moments';
import { NO_SOURCES, type Place } from './sources';
import { ACTIVITIES, KINDS, STATES, withRuntimeRow, type Meta, type Report, type Source } from './data';

export interface TestSample {
  stack: string;
  weight?: number;
  count?: number;
  thread?: number;
  bucket?: number;
  activity?: (typeof ACTIVITIES)[number];
  state?: (typeof STATES)[number];
  call?: string;
  wait?: string; // the method that waits
  type?: string; // what its label says
}

// A frame's place may be written behind its name: "main@10", and "main@10|12" where it is one of these lines. All are of
// one file, /src/a.cs, whose text is this.
export const TEXT = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`);

const META: Meta = {
  version: 1,
  command: 'test',
  runtime: '.NET 10',
  os: 'Linux',
  host: 'host',
  pid: 1,
  start_ms: 0,
  interval_ns: 1e7,
  engine: 'perf',
  duration_us: 1e6,
  headline: [{ what: 'your code', share: 0.75 }, { what: 'JIT', share: 0.0004 }],
  weight_us: 0,
  samples: 0,
  attempts: 0,
  walk_end: {},
  shortened: 0,
  whole: 0,
  depth: 2048,
  drops: {},
  complete: true,
  damage: '',
  messages: [],
  bucket_us: 1000,
  buckets: 1,
  folding: 0,
  threads: [],
};

const SOURCE: Source = {
  name: 'cpu',
  value: 'cpu time',
  unit: 'nanoseconds',
  adding: 'sum',
  clock: 'thread_cpu',
  period: 1e7,
  weight: 0,
  samples: 0,
  attempts: 0,
  walk_end: {},
  shortened: 0,
  whole: 0,
  drops: {},
  labels: [],
};
export const WALL: Partial<Source> = {
  name: 'wall',
  value: 'wall time',
  clock: 'wall',
  labels: [
    { name: 'state', type: 'state' },
    { name: 'system call', type: 'system_call' },
  ],
};

// A frame written as "name!kind" has that kind, else it is managed.
export function reportOf(samples: TestSample[], source: Partial<Source> = {}): Report {
  const names: string[] = [];
  const kinds: number[] = [];
  const parent = [0];
  const frame = [0];
  const known = new Map<string, number>();
  const places: Place[] = [...NO_SOURCES.places];
  const placeOfNode = [0];
  const placeOf = (text: string | undefined) => {
    if (!text) return 0;
    const lines = text.split('|').map(Number);
    const same = places.findIndex((place) => place.lines.join('|') === text);
    return same >= 0 ? same : places.push({ document: 0, lines, sure: lines.length === 1, first: 1, last: 20 }) - 1;
  };
  const nodeOf = (stack: string): number => {
    if (stack === '') return 0;
    if (known.has(stack)) return known.get(stack)!;
    const cut = stack.lastIndexOf(';');
    const up = nodeOf(cut < 0 ? '' : stack.slice(0, cut));
    const [frameAndPlace, kind = 'managed'] = stack.slice(cut + 1).split('!') as [string, string?];
    const [name, place] = frameAndPlace.split('@') as [string, string?];
    if (!names.includes(name)) {
      names.push(name);
      kinds.push((KINDS as readonly string[]).indexOf(kind));
    }
    parent.push(up);
    frame.push(names.indexOf(name));
    placeOfNode.push(placeOf(place));
    known.set(stack, parent.length - 1);
    return parent.length - 1;
  };
  const sorted = [...samples].sort((a, b) => (a.bucket ?? 0) - (b.bucket ?? 0));
  const nodes = sorted.map((s) => nodeOf(s.stack));
  const buckets = Math.max(0, ...sorted.map((s) => s.bucket ?? 0)) + 1;
  const threads = Math.max(0, ...sorted.map((s) => s.thread ?? 0)) + 1;
  const start = new Uint32Array(buckets + 1);
  for (const s of sorted) start[(s.bucket ?? 0) + 1]!++;
  for (let b = 0; b < buckets; b++) start[b + 1]! += start[b]!;
  const calls = ['', ...new Set(sorted.flatMap((s) => s.call ?? []))];
  const types = [...new Set(['', ...sorted.flatMap((s) => s.type ?? [])])];
  const waits = [...new Set(['', ...sorted.flatMap((s) => s.wait ?? [])])];
  return {
    source: { ...SOURCE, ...source },
    calls,
    kinds: types.length > 1 ? [{ name: 'type', texts: types }] : [],
    waits: waits.map((name) => ({ method: names.indexOf(name), caller: -1 })),
    meta: {
      ...META,
      buckets,
      threads: Array.from({ length: threads }, (_, i) => ({
        name: `T${i}`,
        tid: i,
        kind: 'managed',
        weight_us: 0,
        samples: 1,
      })),
    },
    frames: withRuntimeRow({
      name: names,
      raw: names.map(() => ''),
      module: names.map(() => 'm.dll'),
      kind: Uint8Array.from(kinds),
      own: new Uint32Array(names.length),
      inlined: new Uint8Array(names.length),
      tier: names.map(() => ''),
      runs: noRuns(names.length),
    }),
    moments: NO_MOMENTS,
    trace: null,
    tree: { parent: Uint32Array.from(parent), frame: Uint32Array.from(frame), split: places.length > 1 },
    sources:
      places.length === 1
        ? NO_SOURCES
        : {
            documents: [{ path: '/src/a.cs', url: '', note: '', lines: 20, text: new Map(TEXT.map((text, i) => [i + 1, text])) }],
            places,
            ofNode: Uint32Array.from(placeOfNode),
          },
    rows: {
      start,
      thread: Uint32Array.from(sorted, (s) => s.thread ?? 0),
      node: Uint32Array.from(nodes),
      weight: Float64Array.from(sorted, (s) => s.weight ?? 1),
      count: Uint32Array.from(sorted, (s) => s.count ?? 1),
      activity: Uint8Array.from(sorted, (s) => ACTIVITIES.indexOf(s.activity ?? 'managed')),
      state: Uint8Array.from(sorted, (s) => (s.state ? STATES.indexOf(s.state) : STATES.length)),
      call: Uint32Array.from(sorted, (s) => calls.indexOf(s.call ?? '')),
      wait: Uint32Array.from(sorted, (s) => waits.indexOf(s.wait ?? '')),
      kinds: [Uint32Array.from(sorted, (s) => types.indexOf(s.type ?? ''))],
    },
  };
}
