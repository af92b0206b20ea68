// The report's data. The page carries one block of base64: raw deflate of (JSON length, JSON, columns of varints).
// formats/html_payload.h is the specification and the writer.

import { noRuns, withRunFrames, type Runs } from '../model/folding';
import { NO_MOMENTS, type Lane, type Moments } from './moments';
import { nameAndModule, readTrace, type Trace, type WrittenTrace } from './trace';
import { NO_SOURCES, readSources, type Sources, type WrittenDocument } from './sources';

export const KINDS = ['managed', 'native', 'runtime', 'stub', 'other'] as const;
export const MANAGED = KINDS.indexOf('managed');
const RUNTIME = KINDS.indexOf('runtime');
const STUB = KINDS.indexOf('stub');
export const isOfRuntime = (kind: number) => kind === RUNTIME || kind === STUB;
export const ACTIVITIES = ['managed', 'native', 'runtime', 'gc', 'jit'] as const;
export const GC = ACTIVITIES.indexOf('gc');
export const JIT = ACTIVITIES.indexOf('jit');

// What a thread was doing. A sample that does not say has STATES.length.
export const STATES = ['running', 'runnable', 'blocked'] as const;
export const BLOCKED = STATES.indexOf('blocked');

export interface Thread {
  name: string;
  tid: number;
  kind: string;
  weight_us: number;
  samples: number;
}

export interface Meta {
  version: number;
  command: string;
  runtime: string;
  os: string;
  host: string;
  pid: number;
  start_ms: number;
  interval_ns: number;
  engine: string;
  duration_us: number;
  headline: { what: string; share: number }[]; // where its time went, of the whole recording
  weight_us: number;
  samples: number;
  attempts: number;
  walk_end: Record<string, number>;
  shortened: number;
  whole: number;
  depth: number;
  drops: Record<string, number>;
  complete: boolean;
  damage: string;
  messages: { time_us: number; severity: string; text: string }[];
  bucket_us: number;
  buckets: number;
  folding: number; // index into FOLDINGS (model/folding.ts) that the page begins with
  threads: Thread[];
}

// An event: what it measures, and how well. Its amounts are microseconds where `unit` is nanoseconds.
export interface Source {
  name: string;
  value: string;
  unit: string;
  adding: string;
  clock: string;
  period: number;
  weight: number;
  samples: number;
  attempts: number;
  walk_end: Record<string, number>;
  shortened: number;
  whole: number;
  drops: Record<string, number>;
  labels: { name: string; type: string }[];
  counts?: string; // what Rows.count counts: "sample", "call"
}

export interface Frames {
  name: string[];
  raw: string[];
  module: string[];
  kind: Uint8Array;
  own: Uint32Array; // where the name begins behind the namespace
  inlined: Uint8Array; // 1: the method's code is in its caller's
  tier: string[]; // what compiled it; empty: not known, or no managed code
  runs: Runs;
}

// The last frame stands for the runtime where its frames are hidden and no method called it.
export const runtimeRow = (frames: Frames) => frames.name.length - 1;

export function withRuntimeRow({ name, raw, module, kind, own, inlined, tier, runs }: Frames): Frames {
  const { origin, frame, rank, rankAtRoot } = runs;
  return {
    own: Uint32Array.from([...own, 0]),
    inlined: Uint8Array.from([...inlined, 0]),
    tier: [...tier, ''],
    runs: {
      origin: Uint8Array.from([...origin, 0]),
      frame: Uint32Array.from([...frame, 0]),
      rank: Uint8Array.from([...rank, 0]),
      rankAtRoot: Uint8Array.from([...rankAtRoot, 0]),
    },
    name: [...name, '[runtime]'],
    raw: [...raw, ''],
    module: [...module, ''],
    kind: Uint8Array.from([...kind, KINDS.indexOf('other')]),
  };
}

// Node 0 is the root; parents come before children.
export interface Tree {
  parent: Uint32Array;
  frame: Uint32Array;
  split: boolean; // a frame's nodes below one parent may be several: one for each of its source places
}

// One row: the samples of one thread at one node in one time bucket with one activity. Sorted by bucket; those of
// bucket b are [start[b], start[b + 1]).
export interface Rows {
  start: Uint32Array;
  thread: Uint32Array;
  node: Uint32Array;
  weight: Float64Array; // in the unit of the event
  count: Uint32Array;
  activity: Uint8Array;
  state: Uint8Array; // index into STATES
  call: Uint32Array; // index into Report.calls
  wait: Uint32Array; // index into Report.waits
  kinds: Uint32Array[]; // for each of Report.kinds: index into its texts
}

// A label of an event that tells its samples apart, as the type of what was allocated.
export interface Kinds {
  name: string;
  texts: string[]; // the first is empty: not known
}

// What blocked threads wait in: the method that waits, and who called it. Frames; -1: there is none.
export interface Wait {
  method: number;
  caller: number;
}

// One event of the recording. Frames, tree, buckets and threads are the same for all of them.
export interface Report {
  source: Source;
  calls: string[]; // system calls its samples were in; the first is none
  waits: Wait[]; // the first is none
  kinds: Kinds[];
  meta: Meta; // samples, attempts, walks and drops are the event's
  frames: Frames;
  tree: Tree;
  rows: Rows;
  moments: Moments; // of all events
  sources: Sources; // of all events
  trace: Trace | null; // traced calls, of all events
}

interface Header extends Meta {
  sources?: Source[];
  label_sets?: string[][];
  documents?: WrittenDocument[];
  trace?: WrittenTrace[];
  lanes?: { source: number; shown: number; left_out: number; sums: number }[];
  strings: string[];
  columns: { name: string; count: number; bytes: number }[];
}

const CPU_ALONE = 1;
const SEVERAL_EVENTS = 2;

// Reads `count` LEB128 varints; throws when the bytes do not hold exactly that many.
export function readVarints(bytes: Uint8Array, count: number): Float64Array {
  const out = new Float64Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      if (at >= bytes.length) throw new Error('a column of the report is cut short');
      byte = bytes[at++]!;
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte & 0x80);
    out[i] = value;
  }
  if (at !== bytes.length) throw new Error('a column of the report has bytes left over');
  return out;
}

const unzigzag = (v: number) => (v % 2 === 0 ? v / 2 : -(v + 1) / 2);

// In place: differences (zigzag coded) to absolute values.
export function undelta(column: Float64Array): Float64Array {
  let last = 0;
  for (let i = 0; i < column.length; i++) column[i] = last += unzigzag(column[i]!);
  return column;
}

// Names are foreign: control characters, those that turn the direction of text around and those nobody sees are
// written out, as recording/plain_text.cc does it.
const GARBLING =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu;
export const clean = (text: string) =>
  text.replace(GARBLING, (c) => `\\u{${c.codePointAt(0)!.toString(16).toUpperCase()}}`);

class Columns {
  private readonly parts = new Map<string, Float64Array>();

  constructor(header: Header, bytes: Uint8Array) {
    let at = 0;
    for (const { name, count, bytes: size } of header.columns) {
      if (at + size > bytes.length) throw new Error('the report is cut short');
      this.parts.set(name, readVarints(bytes.subarray(at, at + size), count));
      at += size;
    }
  }

  // The column `name`; every value below `limit`.
  get(name: string, limit = Infinity): Float64Array {
    const column = this.parts.get(name);
    if (!column) throw new Error(`the report has no column ${name}`);
    return Columns.check(column, name, limit);
  }

  deltas(name: string, limit: number): Float64Array {
    return Columns.check(undelta(this.get(name)), name, limit);
  }

  private static check(column: Float64Array, name: string, limit: number): Float64Array {
    if (limit !== Infinity && !column.every((v) => v >= 0 && v < limit)) {
      throw new Error(`column ${name} of the report points outside the report`);
    }
    return column;
  }
}

const ORIGINS = 4;
const RANKS = 8; // a rank within a stack times so many, and one at its root

function readFrames(columns: Columns, strings: string[]): Frames {
  const text = (name: string) => Array.from(columns.get(name, strings.length), (i) => strings[i]!);
  const rank = columns.get('frame.rank', RANKS * RANKS);
  const frames = {
    name: text('frame.name').map((name) => name || '[no name]'),
    raw: text('frame.raw'),
    module: text('frame.module'),
    kind: Uint8Array.from(columns.get('frame.kind', KINDS.length)),
    own: Uint32Array.from(columns.get('frame.own')),
    inlined: Uint8Array.from(columns.get('frame.inlined', 2)),
    tier: text('frame.tier'),
    runs: {
      ...noRuns(rank.length),
      origin: Uint8Array.from(columns.get('frame.origin', ORIGINS)),
      rank: Uint8Array.from(rank, (both) => Math.floor(both / RANKS)),
      rankAtRoot: Uint8Array.from(rank, (both) => both % RANKS),
    },
  };
  return withRuntimeRow(withRunFrames(frames, text('frame.run')));
}

// count: of frames that nodes may have.
function readTree(columns: Columns, count: number, split: boolean): Tree {
  const steps = columns.get('node.parent');
  const parent = new Uint32Array(steps.length);
  for (let i = 1; i < steps.length; i++) {
    if (!(steps[i]! >= 1 && steps[i]! <= i)) throw new Error('the tree of the report is damaged');
    parent[i] = i - steps[i]!;
  }
  return { parent, frame: Uint32Array.from(columns.get('node.frame', Math.max(1, count))), split };
}

interface Waits {
  list: Wait[]; // the first is none
  ofNode: Uint32Array; // index into list
}

function readWaits(columns: Columns, tree: Tree): Waits {
  const list: Wait[] = [{ method: -1, caller: -1 }];
  const ofNode = new Uint32Array(tree.parent.length);
  const methods = columns.get('node.wait_method');
  const callers = columns.get('node.wait_caller');
  const known = new Map<string, number>();
  const frame = (node: number, steps: number) => {
    if (steps > node) throw new Error('a wait of the report is at no method');
    return steps === 0 ? -1 : tree.frame[node + 1 - steps]!;
  };
  for (let node = 0; node < ofNode.length; node++) {
    const method = frame(node, methods[node] ?? 0);
    if (method < 0) continue;
    const caller = frame(node, callers[node] ?? 0);
    const key = `${method} ${caller}`;
    if (!known.has(key)) known.set(key, list.push({ method, caller }) - 1);
    ofNode[node] = known.get(key)!;
  }
  return { list, ofNode };
}

// The columns as they are: of all events.
interface AllRows {
  bucket: Float64Array;
  thread: Float64Array;
  node: Float64Array;
  weight: Float64Array;
  count: Float64Array;
  activity: Float64Array;
  source: Float64Array | null;
  labels: Float64Array | null;
}

function readRows(columns: Columns, meta: Meta, nodes: number, sources: number, sets: number): AllRows {
  const several = meta.version !== CPU_ALONE;
  return {
    bucket: columns.deltas('row.bucket', meta.buckets),
    thread: columns.deltas('row.thread', meta.threads.length),
    node: columns.deltas('row.node', nodes),
    weight: columns.get('row.weight'),
    count: columns.get('row.count'),
    activity: columns.get('row.activity', ACTIVITIES.length),
    source: several ? columns.get('row.source', sources) : null,
    labels: several ? columns.get('row.labels', sets) : null,
  };
}

// The text of the label of this type, by label set. Empty: the set has none.
function textsOf(source: Source, type: string, sets: string[][]): string[] {
  const at = source.labels.findIndex((label) => label.type === type);
  return sets.map((set) => (at < 0 ? '' : (set[at] ?? '')));
}

interface LabelColumn extends Kinds {
  ofSet: Uint32Array; // by label set
}

// What tells samples of the event apart but states and system calls.
function kindsOf(source: Source, sets: string[][]): LabelColumn[] {
  return source.labels.flatMap(({ name, type }, at) => {
    if (type === 'state' || type === 'system_call') return [];
    const known = new Map([['', 0]]);
    const ofSet = Uint32Array.from(sets, (set) => {
      const text = clean(type !== 'text' && set[at] === '0' ? '' : (set[at] ?? ''));
      if (!known.has(text)) known.set(text, known.size);
      return known.get(text)!;
    });
    return [{ name: clean(name), texts: [...known.keys()], ofSet }];
  });
}

// What of a label set or a node the rows of an event need.
interface RowParts {
  states: Uint8Array;
  calls: Uint32Array;
  waits: Uint32Array;
  kinds: LabelColumn[];
}

// The rows of one event.
function rowsOf(all: AllRows, index: number, buckets: number, { states, calls, waits, kinds }: RowParts): Rows {
  const { source, labels } = all;
  const stateOf = (row: number) => (labels ? states[labels[row]!]! : STATES.length);
  const mine: number[] = [];
  for (let i = 0; i < all.bucket.length; i++) if (!source || source[i] === index) mine.push(i);
  const pick = (column: Float64Array) => Float64Array.from(mine, (i) => column[i]!);
  const bucket = pick(all.bucket);
  const start = new Uint32Array(buckets + 1);
  for (const b of bucket) start[b + 1]!++;
  for (let b = 0; b < buckets; b++) start[b + 1]! += start[b]!;
  return {
    start,
    thread: Uint32Array.from(pick(all.thread)),
    node: Uint32Array.from(pick(all.node)),
    weight: pick(all.weight),
    count: Uint32Array.from(pick(all.count)),
    activity: Uint8Array.from(pick(all.activity)),
    state: Uint8Array.from(mine, stateOf),
    call: Uint32Array.from(mine, (i) => (labels ? calls[labels[i]!]! : 0)),
    wait: Uint32Array.from(mine, (i) => (stateOf(i) === BLOCKED ? waits[all.node[i]!]! : 0)),
    kinds: kinds.map(({ ofSet }) => Uint32Array.from(mine, (i) => (labels ? ofSet[labels[i]!]! : 0))),
  };
}

function readMoments(columns: Columns, meta: Meta, nodes: number, { lanes = [], sources = [], label_sets = [] }: Partial<Header>): Moments {
  if (lanes.length === 0) return NO_MOMENTS;
  const lane = ({ source, shown, left_out, sums }: (typeof lanes)[number]): Lane => {
    const of = sources[source];
    if (!of) throw new Error('a lane of the report is of no event');
    return { name: clean(of.name), shown, leftOut: left_out, sums, labels: of.labels.map(({ name }) => clean(name)) };
  };
  const end = columns.get('moment.time');
  for (let i = 1; i < end.length; i++) end[i]! += end[i - 1]!;
  return {
    lanes: lanes.map(lane),
    end,
    took: columns.get('moment.took'),
    lane: Uint8Array.from(columns.get('moment.lane', lanes.length)),
    thread: Uint32Array.from(columns.get('moment.thread', meta.threads.length)),
    node: Uint32Array.from(columns.get('moment.node', nodes)),
    set: Uint32Array.from(columns.get('moment.labels', label_sets.length)),
    sets: label_sets.map((set) => set.map(clean)),
  };
}

// Each thread with what it has of these rows.
function threadsOf(threads: Thread[], rows: Rows, adding: string): Thread[] {
  const out = threads.map((thread) => ({ ...thread, weight_us: 0, samples: 0 }));
  rows.thread.forEach((thread, i) => {
    const { weight_us } = out[thread]!;
    out[thread]!.weight_us = adding === 'max' ? Math.max(weight_us, rows.weight[i]!) : weight_us + rows.weight[i]!;
    out[thread]!.samples += rows.count[i]!;
  });
  return out;
}

function cpuSource(meta: Meta): Source {
  const { samples, attempts, walk_end, shortened, whole, drops } = meta;
  const counted = { samples, attempts, walk_end, shortened, whole, drops };
  const measures = { name: 'cpu', value: 'cpu time', unit: 'nanoseconds', adding: 'sum', clock: 'thread_cpu' };
  return { ...measures, ...counted, period: meta.interval_ns, weight: meta.weight_us, labels: [] };
}

function metaOf(meta: Meta, source: Source): Meta {
  const { samples, attempts, walk_end, shortened, whole, drops } = source;
  return { ...meta, samples, attempts, walk_end, shortened, whole, drops, weight_us: source.weight };
}

// One report for each event that was recorded, at least one.
export function parseReport(bytes: Uint8Array): Report[] {
  if (bytes.length < 4) throw new Error('the report is empty');
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (4 + size > bytes.length) throw new Error('the report is cut short');
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size))) as Header;
  if (header.version !== CPU_ALONE && header.version !== SEVERAL_EVENTS)
    throw new Error(`unknown report version ${header.version}`);
  const columns = new Columns(header, bytes.subarray(4 + size));
  if (header.version === SEVERAL_EVENTS && !header.sources?.length) throw new Error('the report names no event');
  const { strings, columns: _columns, sources: declared, label_sets: sets = [], lanes: _lanes, documents = [], trace: traced = [], ...meta } = header;
  meta.command = clean(meta.command);
  meta.folding ??= 0;
  for (const thread of meta.threads) thread.name = clean(thread.name);
  const frames = readFrames(columns, strings.map(clean));
  const tree = readTree(columns, columns.get('frame.name').length, documents.length > 0);
  const column = (name: string, limit?: number) => columns.get(name, limit);
  const places = documents.length > 0 ? readSources(documents, tree.parent.length, column, clean) : NO_SOURCES;
  const sources = declared?.length ? declared : [cpuSource(meta)];
  const moments = readMoments(columns, meta, tree.parent.length, header);
  const frameOf = new Map(frames.name.map((name, i) => [nameAndModule(name, frames.module[i]!), i]));
  const trace = readTrace(traced, { nodes: tree.parent.length, threads: meta.threads.length }, frameOf, clean);
  const all = readRows(columns, meta, tree.parent.length, sources.length, sets.length);
  const { list: waits, ofNode } = declared ? readWaits(columns, tree) : { list: [], ofNode: new Uint32Array() };
  return sources.map((source, index) => {
    source.name = clean(source.name);
    source.value = clean(source.value);
    source.unit = clean(source.unit);
    const callTexts = textsOf(source, 'system_call', sets).map(clean);
    const calls = ['', ...new Set(callTexts.filter((text) => text !== ''))];
    const states = Uint8Array.from(textsOf(source, 'state', sets), (text) => {
      const state = (STATES as readonly string[]).indexOf(text);
      return state < 0 ? STATES.length : state;
    });
    const callOf = Uint32Array.from(callTexts, (text) => calls.indexOf(text));
    const labels = kindsOf(source, sets);
    const rows = rowsOf(all, index, meta.buckets, { states, calls: callOf, waits: ofNode, kinds: labels });
    // Labels of which no row tells are of another value of the event.
    const told = rows.kinds.map((kinds) => kinds.some((kind) => kind !== 0));
    const kinds = labels.filter((_, i) => told[i]);
    rows.kinds = rows.kinds.filter((_, i) => told[i]);
    if (!declared) return { source, calls, waits, kinds, meta, frames, tree, rows, moments, sources: places, trace };
    const own = { ...metaOf(meta, source), threads: threadsOf(meta.threads, rows, source.adding) };
    return { source, calls, waits, kinds, meta: own, frames, tree, rows, moments, sources: places, trace };
  });
}

export const hasLines = (report: Report) => report.sources.documents.length > 0;
export const hasStates = (report: Report) => report.source.labels.some((label) => label.type === 'state');
// Whether it is one of those that the calls' tree was made for: its time, calls, exceptions.
export const isTraced = (source: Source) => source.counts === 'call';
export const isTime = (source: Source) => source.unit === 'nanoseconds';

export const isOfEvents = (source: Source) => source.clock === 'event';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// "CPU time", "Wall time", "Alloc", "GC": which event it is.
export function eventOf(source: Source): string {
  if (!isOfEvents(source) && isTime(source)) return capital(source.value.replace(/^cpu\b/, 'CPU'));
  return source.name === 'gc' || source.name === 'jit' ? source.name.toUpperCase() : capital(source.name);
}

// "CPU time", "Alloc: objects", "Exceptions": the event, and what of it is shown.
export function titleOf(source: Source): string {
  const event = eventOf(source);
  return event.toLowerCase() === source.value ? event : `${event}: ${source.value}`;
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (typeof DecompressionStream === 'undefined') {
    throw new Error('this browser is too old for the report: it needs Chrome 103, Firefox 113, Safari 16.4 or newer');
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
