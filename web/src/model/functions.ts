// Self and total by function within a box. A function that calls itself counts its total once per stack. Of an event
// the frames of the runtime that raise it have no self, where a method called them: it has it.
import { isOfRuntime, MANAGED, type Frames, type Tree } from '../data/data';
import type { Totals } from './aggregate';
import type { Boxes } from './layout';

export interface FunctionRow {
  frame: number;
  self: number;
  total: number;
  samples: number; // with the function anywhere in the stack
  heaviest: number; // its box with the largest total
}

const isRaising = (frames: Frames, frame: number) =>
  isOfRuntime(frames.kind[frame]!) || frames.name[frame]!.startsWith('System.Runtime.EH.');

// frames: where the report is of events.
export function byFunction(tree: Tree, boxes: Boxes, totals: Totals, within = 0, frames?: Frames): FunctionRow[] {
  const rows: FunctionRow[] = [];
  const count = tree.frame.reduce((a, b) => Math.max(a, b), 0) + 1;
  const rowOf = new Int32Array(count).fill(-1);
  const onStack = new Uint8Array(count);
  const rowFor = (frame: number, box: number) => {
    if (rowOf[frame]! < 0) rowOf[frame] = rows.push({ frame, self: 0, total: 0, samples: 0, heaviest: box }) - 1;
    return rows[rowOf[frame]!]!;
  };
  const top = boxes.node[within]!;
  const frameOfSelf = (node: number) => {
    const frame = tree.frame[node]!;
    if (!frames || !isRaising(frames, frame)) return frame;
    let up = node;
    while (up !== top && isRaising(frames, tree.frame[up]!)) up = tree.parent[up]!;
    const method = tree.frame[up]!;
    return up !== 0 && frames.kind[method] === MANAGED && !isRaising(frames, method) ? method : frame;
  };
  // True when the function was not on the stack yet.
  const enter = (box: number) => {
    const node = boxes.node[box]!;
    const frame = tree.frame[node]!;
    const row = rowFor(frame, box);
    rowFor(frameOfSelf(node), box).self += totals.self[node]!;
    if (boxes.total[box]! > boxes.total[row.heaviest]!) row.heaviest = box;
    if (onStack[frame]) return false;
    row.total += totals.total[node]!;
    row.samples += totals.totalCount[node]!;
    onStack[frame] = 1;
    return true;
  };
  // Depth first with an explicit stack: a box is pushed again, negated, to be left after its children.
  const work: number[] = [];
  const pushChildren = (box: number) => {
    for (let i = boxes.childCount[box]! - 1; i >= 0; i--) work.push(boxes.firstChild[box]! + i);
  };
  if (within === 0) pushChildren(0);
  else work.push(within);
  while (work.length > 0) {
    const box = work.pop()!;
    if (box < 0) {
      onStack[tree.frame[boxes.node[-box]!]!] = 0;
      continue;
    }
    if (enter(box)) work.push(-box);
    pushChildren(box);
  }
  return rows;
}

export type Column = 'name' | 'self' | 'total';

export function sortFunctions(rows: FunctionRow[], column: Column, ascending: boolean, names: string[]): FunctionRow[] {
  const sign = ascending ? 1 : -1;
  const byName = (a: FunctionRow, b: FunctionRow) => (names[a.frame]! < names[b.frame]! ? -1 : 1);
  return [...rows].sort((a, b) =>
    column === 'name' ? sign * byName(a, b) : sign * (a[column] - b[column]) || byName(a, b),
  );
}
