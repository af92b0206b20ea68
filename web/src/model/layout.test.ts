import { expect, test } from 'vitest';
import { aggregate, allOf, visibleTree } from './aggregate';
import { byFunction } from './functions';
import { boxAt, firstEndingAfter, isWithin, layOut, neighbour, pathTo } from './layout';
import type { Frames } from '../data/data';
import { reportOf, type TestSample } from '../data/made_up';

function laidOut(samples: TestSample[]) {
  const report = reportOf(samples);
  const tree = visibleTree(report.tree, report.frames, 0);
  const totals = aggregate(report, tree, allOf(report));
  const boxes = layOut(tree, totals);
  const name = (box: number) => (box === 0 ? 'all' : report.frames.name[tree.frame[boxes.node[box]!]!]!);
  const find = (wanted: string) => Array.from({ length: boxes.count }, (_, i) => i).find((i) => name(i) === wanted)!;
  return { report, tree, totals, boxes, name, find };
}

const some = [
  { stack: 'a', weight: 2 },
  { stack: 'b;c', weight: 3 },
  { stack: 'b;d;e', weight: 7 },
  { stack: 'b;c;f', weight: 1 },
  { stack: 'never', weight: 0 },
];

test('heaviest first, children within their parent, weightless left out', () => {
  const { boxes, name } = laidOut(some);
  const rows = Array.from({ length: boxes.count }, (_, i) => [name(i), boxes.depth[i], boxes.start[i], boxes.total[i]]);
  expect(rows).toEqual([
    ['all', 0, 0, 13],
    ['b', 1, 0, 11],
    ['a', 1, 11, 2],
    ['d', 2, 0, 7],
    ['c', 2, 7, 4],
    ['e', 3, 0, 7],
    ['f', 3, 7, 1],
  ]);
  expect([...boxes.rowStart]).toEqual([0, 1, 3, 5, 7]);
  expect([...boxes.height]).toEqual([4, 3, 1, 2, 2, 1, 1]);
});

test('the box at a place', () => {
  const { boxes, name } = laidOut(some);
  expect(name(boxAt(boxes, 1, 10.9))).toBe('b');
  expect(name(boxAt(boxes, 1, 11))).toBe('a');
  expect(boxAt(boxes, 2, 11.5)).toBe(-1); // a has no children
  expect(boxAt(boxes, 3, 12.9)).toBe(-1);
  expect(boxAt(boxes, 4, 0)).toBe(-1);
  expect(boxAt(boxes, -1, 0)).toBe(-1);
  expect(firstEndingAfter(boxes, 2, 100)).toBe(boxes.rowStart[3]);
});

test('ways through the tree', () => {
  const { boxes, name, find } = laidOut(some);
  expect(pathTo(boxes, find('f')).map(name)).toEqual(['all', 'b', 'c', 'f']);
  expect(isWithin(boxes, find('f'), find('b'))).toBe(true);
  expect(isWithin(boxes, find('a'), find('b'))).toBe(false);
  expect(name(neighbour(boxes, find('d'), 1, find('b')))).toBe('c');
  expect(neighbour(boxes, find('c'), 1, find('b'))).toBe(-1); // f is in another row
  expect(neighbour(boxes, find('d'), 1, find('d'))).toBe(-1); // not out of the zoom
  expect(neighbour(boxes, 0, -1, 0)).toBe(-1);
});

test('an empty profile has one box without weight', () => {
  const { boxes } = laidOut([]);
  expect(boxes.count).toBe(1);
  expect(boxes.total[0]).toBe(0);
  expect([...boxes.rowStart]).toEqual([0, 1]);
});

test('a stack deeper than the call stack of the browser', () => {
  const { boxes } = laidOut([{ stack: Array.from({ length: 3000 }, (_, i) => `f${i}`).join(';'), weight: 1 }]);
  expect(boxes.height[0]).toBe(3001);
});

test('a function that calls itself counts once per stack', () => {
  const { tree, boxes, totals, report, name } = laidOut([
    { stack: 'a;r;r;x;r', weight: 4 },
    { stack: 'a;r;r', weight: 2 },
    { stack: 'r', weight: 1, count: 5 },
  ]);
  const rows = byFunction(tree, boxes, totals);
  const of = (wanted: string) => rows.find((row) => report.frames.name[row.frame] === wanted)!;
  expect(of('r')).toMatchObject({ self: 7, total: 7, samples: 7 });
  expect(of('a')).toMatchObject({ self: 0, total: 6 });
  expect(of('x')).toMatchObject({ self: 0, total: 4 });
  expect(name(of('r').heaviest)).toBe('r');
  expect(boxes.total[of('r').heaviest]).toBe(6);
});

test('of events the runtime’s self is of the method that called it', () => {
  const { tree, boxes, totals, report, find } = laidOut([
    { stack: 'c!native;a;r!runtime', weight: 4 },
    { stack: 'c!native;a;r!runtime;System.Runtime.EH.Go();s!stub', weight: 2 },
    { stack: 'c!native;r!runtime', weight: 1 },
    { stack: 'c!native;System.Runtime.EH.Go();r!runtime', weight: 8 },
  ]);
  const selves = (frames?: Frames, within = 0) =>
    Object.fromEntries(
      byFunction(tree, boxes, totals, within, frames).map((row) => [report.frames.name[row.frame], row.self]),
    );
  expect(selves()).toEqual({ c: 0, a: 0, r: 13, 'System.Runtime.EH.Go()': 0, s: 2 });
  expect(selves(report.frames)).toEqual({ c: 0, a: 6, r: 9, 'System.Runtime.EH.Go()': 0, s: 0 });
  expect(selves(report.frames, find('s'))).toEqual({ s: 2 });
});
