// From rows to the weights of tree nodes, for a choice of threads, time, activities and visible kinds of frame.
// Two linear passes: rows into their nodes, nodes into their parents.
import { GC, JIT, KINDS, runtimeRow, type Frames, type Report, type Tree } from '../data/data';

export interface Filter {
  threads: Uint8Array; // per thread: 1 = counted
  from: number; // buckets [from, to)
  to: number;
  hiddenActivities: number; // bit per activity: its samples are left out
}

export interface Totals {
  self: Float64Array;
  total: Float64Array;
  selfCount: Float64Array;
  totalCount: Float64Array;
  gc: Float64Array; // part of total spent in garbage collection
  jit: Float64Array;
}

// The tree without frames of hidden kinds: their time belongs to the nearest visible caller. The runtime's belongs to
// the method that called it: where that is not the nearest, it has a row of its own.
export interface VisibleTree extends Tree {
  map: Uint32Array; // node of the report → node here that has its time
  place: Uint32Array; // node of the report → node here under which what it calls hangs
  first: Uint32Array; // node here → one node of the report it stands for
}

export function allOf(report: Report): Filter {
  return {
    threads: new Uint8Array(report.meta.threads.length).fill(1),
    from: 0,
    to: report.meta.buckets,
    hiddenActivities: 0,
  };
}

const [MANAGED, RUNTIME, STUB] = (['managed', 'runtime', 'stub'] as const).map((kind) => KINDS.indexOf(kind));

export function visibleTree(tree: Tree, frames: Frames, hiddenKinds: number): VisibleTree {
  const count = tree.parent.length;
  if (hiddenKinds === 0) {
    const same = Uint32Array.from({ length: count }, (_, i) => i);
    return { ...tree, map: same, place: same, first: same };
  }
  const most = 2 * count; // each node may have a runtime row
  const parent = new Uint32Array(most);
  const frame = new Uint32Array(most);
  const first = new Uint32Array(most);
  const place = new Uint32Array(count);
  const map = new Uint32Array(count);
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
    if (hiddenKinds & (1 << kind)) {
      const called = up !== 0 && frames.kind[frame[up]!] === MANAGED;
      place[i] = up;
      map[i] = (kind === RUNTIME || kind === STUB) && !called ? child(up, runtimeRow(frames), i) : up;
    } else {
      map[i] = place[i] = child(up, f, i);
    }
  }
  return { parent: parent.slice(0, size), frame: frame.slice(0, size), first: first.slice(0, size), map, place };
}

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
  };
  addRows(report, tree, filter, totals);
  totals.total.set(totals.self);
  totals.totalCount.set(totals.selfCount);
  const { total, totalCount, gc, jit } = totals;
  for (let i = nodes - 1; i > 0; i--) {
    const up = tree.parent[i]!;
    total[up]! += total[i]!;
    totalCount[up]! += totalCount[i]!;
    gc[up]! += gc[i]!;
    jit[up]! += jit[i]!;
  }
  return totals;
}

function addRows(report: Report, tree: VisibleTree, filter: Filter, totals: Totals): void {
  const { start, thread, node, weight, count, activity } = report.rows;
  const { self, selfCount, gc, jit } = totals;
  const end = start[filter.to]!;
  for (let i = start[filter.from]!; i < end; i++) {
    const what = activity[i]!;
    if (!filter.threads[thread[i]!] || filter.hiddenActivities & (1 << what)) continue;
    const n = tree.map[node[i]!]!;
    const w = weight[i]!;
    self[n]! += w;
    selfCount[n]! += count[i]!;
    if (what === GC) gc[n]! += w;
    else if (what === JIT) jit[n]! += w;
  }
}

// CPU time by thread in the time and the activities of `filter`, in microseconds.
export function threadWeights(report: Report, filter: Filter): Float64Array {
  const out = new Float64Array(report.meta.threads.length);
  const { start, thread, weight, activity } = report.rows;
  const end = start[filter.to]!;
  for (let i = start[filter.from]!; i < end; i++) {
    if (!(filter.hiddenActivities & (1 << activity[i]!))) out[thread[i]!]! += weight[i]!;
  }
  return out;
}

// CPU time by activity under `filter`, in microseconds.
export function activityWeights(report: Report, filter: Filter, activities: number): Float64Array {
  const out = new Float64Array(activities);
  const { start, thread, weight, activity } = report.rows;
  const end = start[filter.to]!;
  for (let i = start[filter.from]!; i < end; i++) {
    if (filter.threads[thread[i]!]) out[activity[i]!]! += weight[i]!;
  }
  return out;
}
