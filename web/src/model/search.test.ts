import { expect, test } from 'vitest';
import { aggregate, allOf, visibleTree } from './aggregate';
import { layOut } from './layout';
import { findMatches, matchFrames } from './search';
import { reportOf } from '../data/made_up';

const report = reportOf([
  { stack: 'main;App.Parse;App.Lex', weight: 5 },
  { stack: 'main;App.Parse;App.Parse', weight: 3 },
  { stack: 'main;Lib.Sort(a.b)', weight: 2 },
  { stack: 'gc', weight: 10 },
]);
report.frames.raw[report.frames.name.indexOf('Lib.Sort(a.b)')] = 'Lib+<Sort>d__3.MoveNext';
const tree = visibleTree(report.tree, report.frames, 0);
const boxes = layOut(tree, aggregate(report, tree, allOf(report)));

function search(text: string, regex = false, top = 0) {
  const found = findMatches(tree, report.tree, boxes, matchFrames(report.frames, { text, regex }), top);
  return [found.weight, found.boxes.length];
}

test('nested matches count once', () => {
  expect(search('app.')).toEqual([8, 1]);
  expect(search('main')).toEqual([10, 1]);
});

test('text is not an expression, case does not matter', () => {
  expect(search('SORT(A.B)')).toEqual([2, 1]);
  expect(search('sort.a')).toEqual([0, 0]);
});

test('regular expressions', () => {
  expect(search('^(gc|lib\\.)', true)).toEqual([12, 2]);
  expect(search('lex$', true)).toEqual([5, 1]);
  expect(() => search('(', true)).toThrow();
});

test('raw names are found', () => {
  expect(search('movenext')).toEqual([2, 1]);
});

test('heaviest match first', () => {
  const { boxes: found } = findMatches(tree, report.tree, boxes, matchFrames(report.frames, { text: 'c|lex', regex: true }), 0);
  expect(found.map((box) => boxes.total[box])).toEqual([10, 5]);
});

test('only within what is zoomed to', () => {
  const box = (name: string) =>
    [...boxes.node].findIndex((n, i) => i > 0 && report.frames.name[tree.frame[n]!] === name);
  expect(search('gc', false, box('main'))).toEqual([0, 0]);
  expect(search('lex', false, box('main'))).toEqual([5, 1]);
  expect(search('parse', false, box('App.Parse'))).toEqual([8, 1]);
});

test('the root itself never matches', () => {
  expect(search('', false)).toEqual([20, 2]); // main and gc
});
