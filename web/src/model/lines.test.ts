import { expect, test } from 'vitest';
import { reportOf, TEXT } from '../data/made_up';
import { linesText, placeText } from '../data/sources';
import { sourceRows } from './lines';
import { Model } from './model';
import { FOLD_OTHERS } from './folding';

// main at line 10 calls work at 2 and at 3, or at one of 5 and 6; work at 3 calls main again, at 10.
const samples = [
  { stack: 'main@10', weight: 1 },
  { stack: 'main@10;work@2', weight: 2 },
  { stack: 'main@10;work@3', weight: 4, bucket: 1 },
  { stack: 'main@10;work@5|6', weight: 8, thread: 1 },
  { stack: 'main@10;work@3;main@10', weight: 16 },
  { stack: 'main@10;work@3;qsort!native', weight: 32 },
  { stack: 'other', weight: 64 },
];
const modelOf = () => new Model(reportOf(samples));

// line → [self, total, at most self, at most total]
const lines = (model: Model) =>
  Object.fromEntries([...model.lineCosts.ofDocument(0)].map(([line, c]) => [line, [c.self, c.total, c.mostSelf, c.mostTotal]]));

const boxOf = (model: Model, name: string, parent = -1) => {
  for (let box = 1; box < model.boxes.count; box++)
    if (model.nameOf(box) === name && (parent < 0 || model.boxes.parent[box] === parent)) return box;
  return -1;
};

test('a method is one box, whatever its lines', () => {
  const model = modelOf();
  const main = boxOf(model, 'main');
  expect(model.boxes.childCount[main]).toBe(1);
  expect(model.boxes.total[boxOf(model, 'work')]).toBe(62);
  expect(model.functions.find((row) => model.report.frames.name[row.frame] === 'work')).toMatchObject({ self: 14, total: 62 });
});

test('each line has its self and total, once for each stack', () => {
  expect(lines(modelOf())).toEqual({
    10: [17, 63, 17, 63],
    2: [2, 2, 2, 2],
    3: [4, 52, 4, 52],
    5: [0, 0, 8, 8],
    6: [0, 0, 8, 8],
  });
});

test('what may be one of several lines is nobody’s for certain', () => {
  const costs = modelOf().lineCosts.ofDocument(0);
  const { places } = modelOf().report.sources;
  expect([...costs.get(5)!.or].map((place) => linesText(places[place]!))).toEqual(['5 or 6']);
  expect(costs.get(2)!.or.size).toBe(0);
});

// A stack through line 5 for certain and through "5 or 6" counts once for each.
test('a line that is certain and perhaps on one stack', () => {
  const model = new Model(reportOf([{ stack: 'a@5;a@5|6;a@5', weight: 1 }]));
  expect(lines(model)).toEqual({ 5: [1, 1, 1, 1], 6: [0, 0, 0, 1] });
});

test('of what the filter chooses', () => {
  const model = modelOf();
  model.setFilter({ from: 1 });
  expect(lines(model)).toEqual({ 10: [0, 4, 0, 4], 3: [4, 4, 4, 4] });
  model.setFilter({ from: 0, threads: Uint8Array.from([0, 1]) });
  expect(lines(model)).toEqual({ 10: [0, 8, 0, 8], 5: [0, 0, 8, 8], 6: [0, 0, 8, 8] });
});

test('of what is zoomed to', () => {
  const model = modelOf();
  model.zoomTo(boxOf(model, 'work'));
  expect(lines(model)).toEqual({
    10: [16, 16, 16, 16],
    2: [2, 2, 2, 2],
    3: [4, 52, 4, 52],
    5: [0, 0, 8, 8],
    6: [0, 0, 8, 8],
  });
  model.zoomOut();
  expect(lines(model)[10]).toEqual([17, 63, 17, 63]);
});

test('the time of a hidden frame is at its caller’s line', () => {
  const model = modelOf();
  model.toggleKind(1);
  expect(lines(model)[3]).toEqual([36, 52, 36, 52]);
});

test('a hidden runtime that no method called has no line', () => {
  const model = new Model(reportOf([{ stack: 'a@5;x!native;gc!runtime' }, { stack: 'a@5;gc!runtime', weight: 2 }]));
  model.toggleKind(2);
  expect(lines(model)).toEqual({ 5: [2, 3, 2, 3] });
});

test('where a function and a box are, heaviest first', () => {
  const model = modelOf();
  const { sources, frames } = model.report;
  const texts = (costs: { place: number }[]) => costs.map(({ place }) => placeText(sources, place));
  expect(texts(model.lineCosts.ofFrame(frames.name.indexOf('work')))).toEqual(['a.cs:5 or 6', 'a.cs:3', 'a.cs:2']);
  expect(texts(model.lineCosts.ofBox(model.boxes.node[boxOf(model, 'main')]!))).toEqual(['a.cs:10']);
  expect(model.lineCosts.ofFrame(frames.name.indexOf('other'))).toEqual([]);
  expect(model.lineCosts.documentOf(frames.name.indexOf('work'))).toBe(0);
  expect(model.lineCosts.documentOf(frames.name.indexOf('qsort'))).toBe(-1);
});

test('a folded run has no line', () => {
  const report = reportOf([{ stack: 'main@1;lib@2' }]);
  report.frames.runs.origin[1] = 1;
  report.frames.runs.frame[1] = 2;
  const model = new Model(report);
  model.setFolding(FOLD_OTHERS);
  const run = boxOf(model, '(+1 runtime]');
  expect(run).toBeGreaterThan(0);
  expect(model.lineCosts.ofBox(model.boxes.node[run]!)).toEqual([]);
});

test('of a heap’s size the largest counts', () => {
  const report = reportOf([{ stack: 'a@5', weight: 3 }, { stack: 'a@5', weight: 9 }], { adding: 'max' });
  expect(lines(new Model(report))).toEqual({ 5: [9, 9, 9, 9] });
});

test('rows of a file: its text, lines with costs, and what is left out', () => {
  const costs = modelOf().lineCosts.ofDocument(0);
  const whole = modelOf().report.sources.documents[0]!.text;
  expect(sourceRows(whole, costs).map((row) => row.text)).toEqual(TEXT);
  const part = new Map([[9, 'nine'], [10, 'ten'], [14, 'fourteen']]);
  expect(sourceRows(part, costs).map(({ line, text, leftOut }) => [line, text, leftOut])).toEqual([
    [0, null, 1],
    [2, null, 0],
    [3, null, 0],
    [0, null, 1],
    [5, null, 0],
    [6, null, 0],
    [0, null, 2],
    [9, 'nine', 0],
    [10, 'ten', 0],
    [0, null, 3],
    [14, 'fourteen', 0],
  ]);
  expect(sourceRows(new Map(), costs).map((row) => row.line)).toEqual([2, 3, 5, 6, 10]);
});

test.each([
  [{ lines: [22], sure: true }, '22'],
  [{ lines: [22], sure: false }, '22 or near'],
  [{ lines: [22, 23], sure: false }, '22 or 23'],
  [{ lines: [22, 23, 25], sure: false }, '22, 23 or 25'],
  [{ lines: [22, 23, 25, 30, 40], sure: false }, '22 to 40'],
])('lines as text: %o', (place, text) => {
  expect(linesText(place)).toBe(text);
});
