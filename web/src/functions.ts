// Self and total by function. A function that calls itself counts its total once per stack.
import type { Totals } from './aggregate';
import type { Tree } from './data';
import type { Boxes } from './layout';

export interface FunctionRow {
  frame: number;
  self: number;
  total: number;
  samples: number; // with the function anywhere in the stack
  heaviest: number; // its box with the largest total
}

export function byFunction(tree: Tree, boxes: Boxes, totals: Totals): FunctionRow[] {
  const rows = new Map<number, FunctionRow>();
  const onStack = new Set<number>();
  const enter = (box: number) => {
    const node = boxes.node[box]!;
    const frame = tree.frame[node]!;
    let row = rows.get(frame);
    if (!row) rows.set(frame, (row = { frame, self: 0, total: 0, samples: 0, heaviest: box }));
    row.self += totals.self[node]!;
    if (boxes.total[box]! > boxes.total[row.heaviest]!) row.heaviest = box;
    if (onStack.has(frame)) return false;
    row.total += totals.total[node]!;
    row.samples += totals.totalCount[node]!;
    onStack.add(frame);
    return true;
  };
  // Depth first with an explicit stack: a box is pushed again, negated, to be left after its children.
  const work: number[] = [];
  const pushChildren = (box: number) => {
    for (let i = boxes.childCount[box]! - 1; i >= 0; i--) work.push(boxes.firstChild[box]! + i);
  };
  pushChildren(0);
  while (work.length > 0) {
    const box = work.pop()!;
    if (box < 0) {
      onStack.delete(tree.frame[boxes.node[-box]!]!);
      continue;
    }
    if (enter(box)) work.push(-box);
    pushChildren(box);
  }
  return [...rows.values()];
}

export type Column = 'name' | 'self' | 'total';

export function sortFunctions(rows: FunctionRow[], column: Column, ascending: boolean, names: string[]): FunctionRow[] {
  const sign = ascending ? 1 : -1;
  const byName = (a: FunctionRow, b: FunctionRow) => (names[a.frame]! < names[b.frame]! ? -1 : 1);
  return [...rows].sort((a, b) =>
    column === 'name' ? sign * byName(a, b) : sign * (a[column] - b[column]) || byName(a, b),
  );
}
