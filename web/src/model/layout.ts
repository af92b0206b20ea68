// Boxes: the tree's nodes that have weight, breadth first, heaviest sibling first. So each depth is one contiguous run
// sorted by x, and the children of a box are contiguous too. Box 0 is the root. x and width are microseconds of CPU.
import type { Totals } from './aggregate';
import type { Tree } from '../data/data';

export interface Boxes {
  count: number;
  node: Uint32Array;
  parent: Uint32Array;
  depth: Uint32Array;
  start: Float64Array;
  total: Float64Array;
  firstChild: Uint32Array;
  childCount: Uint32Array;
  height: Uint32Array; // of the subtree, 1 for a leaf
  rowStart: Uint32Array; // depth → its first box; one entry past the last
  boxOf: Int32Array; // node → box, -1 without weight
}

// Children of every node as [start[n], start[n + 1]) of `list`, only those with weight.
function childLists(tree: Tree, total: Float64Array): { start: Uint32Array; list: Uint32Array } {
  const nodes = tree.parent.length;
  const start = new Uint32Array(nodes + 1);
  for (let i = 1; i < nodes; i++) if (total[i]! > 0) start[tree.parent[i]! + 1]!++;
  for (let i = 0; i < nodes; i++) start[i + 1]! += start[i]!;
  const next = start.slice();
  const list = new Uint32Array(start[nodes]!);
  for (let i = 1; i < nodes; i++) if (total[i]! > 0) list[next[tree.parent[i]!]!++] = i;
  return { start, list };
}

function emptyBoxes(count: number, nodes: number): Boxes {
  return {
    count,
    node: new Uint32Array(count),
    parent: new Uint32Array(count),
    depth: new Uint32Array(count),
    start: new Float64Array(count),
    total: new Float64Array(count),
    firstChild: new Uint32Array(count),
    childCount: new Uint32Array(count),
    height: new Uint32Array(count),
    rowStart: new Uint32Array(0),
    boxOf: new Int32Array(nodes).fill(-1),
  };
}

const FEW = 24;

// Most nodes have few children; for those an insertion sort is several times as fast as calling sort().
function sortSiblings(list: Uint32Array, compare: (a: number, b: number) => number): void {
  if (list.length > FEW) {
    list.sort(compare);
    return;
  }
  for (let i = 1; i < list.length; i++) {
    const item = list[i]!;
    let at = i;
    for (; at > 0 && compare(list[at - 1]!, item) > 0; at--) list[at] = list[at - 1]!;
    list[at] = item;
  }
}

export function layOut(tree: Tree, totals: Totals): Boxes {
  const { total } = totals;
  const children = childLists(tree, total);
  const boxes = emptyBoxes(children.list.length + 1, tree.parent.length);
  const heavierFirst = (a: number, b: number) => total[b]! - total[a]! || tree.frame[a]! - tree.frame[b]! || a - b;
  boxes.total[0] = total[0]!;
  boxes.boxOf[0] = 0;
  let size = 1;
  for (let box = 0; box < boxes.count; box++) {
    const node = boxes.node[box]!;
    const mine = children.list.subarray(children.start[node]!, children.start[node + 1]!);
    sortSiblings(mine, heavierFirst);
    boxes.firstChild[box] = size;
    boxes.childCount[box] = mine.length;
    let x = boxes.start[box]!;
    for (const child of mine) {
      boxes.node[size] = child;
      boxes.parent[size] = box;
      boxes.depth[size] = boxes.depth[box]! + 1;
      boxes.start[size] = x;
      boxes.total[size] = total[child]!;
      boxes.boxOf[child] = size++;
      x += total[child]!;
    }
  }
  finish(boxes);
  return boxes;
}

function finish(boxes: Boxes): void {
  const rows = boxes.depth[boxes.count - 1]! + 1;
  boxes.rowStart = new Uint32Array(rows + 1).fill(boxes.count);
  for (let box = boxes.count - 1; box >= 0; box--) {
    boxes.rowStart[boxes.depth[box]!] = box;
    boxes.height[box] = Math.max(boxes.height[box]!, 1);
    const up = boxes.parent[box]!;
    if (box > 0) boxes.height[up] = Math.max(boxes.height[up]!, boxes.height[box]! + 1);
  }
}

// First box of row `depth` that ends after x; the row's end if none does.
export function firstEndingAfter(boxes: Boxes, depth: number, x: number): number {
  let low = boxes.rowStart[depth]!;
  let high = boxes.rowStart[depth + 1]!;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (boxes.start[mid]! + boxes.total[mid]! > x) high = mid;
    else low = mid + 1;
  }
  return low;
}

// The box of row `depth` at x, or -1.
export function boxAt(boxes: Boxes, depth: number, x: number): number {
  if (depth < 0 || depth + 1 >= boxes.rowStart.length) return -1;
  const box = firstEndingAfter(boxes, depth, x);
  return box < boxes.rowStart[depth + 1]! && boxes.start[box]! <= x ? box : -1;
}

export function isWithin(boxes: Boxes, box: number, ancestor: number): boolean {
  while (boxes.depth[box]! > boxes.depth[ancestor]!) box = boxes.parent[box]!;
  return box === ancestor;
}

// The neighbour of `box` in its row, on its left (-1) or right (1); -1 at the edge of `within`.
export function neighbour(boxes: Boxes, box: number, side: -1 | 1, within: number): number {
  const other = box + side;
  if (other < 0 || other >= boxes.count || boxes.depth[other] !== boxes.depth[box]) return -1;
  return isWithin(boxes, other, within) ? other : -1;
}

// From the root to `box`.
export function pathTo(boxes: Boxes, box: number): number[] {
  const path = [box];
  while (box !== 0) path.unshift((box = boxes.parent[box]!));
  return path;
}
