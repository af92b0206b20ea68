import { expect, test } from 'vitest';
import { sortFunctions } from '../model/functions';
import { Labels } from './labels';
import { fine, mark, percent, range, shortForms, splitName, time, typeAndMethod } from './text';

test('times', () => {
  expect([0, 999, 1500, 99_940, 123_456, 1_234_567, 119e6, 185e6].map(time)).toEqual([
    '0 µs',
    '999 µs',
    '1.5 ms',
    '99.9 ms',
    '123 ms',
    '1.23 s',
    '119.00 s',
    '3.1 min',
  ]);
});

test('times of calls, some of which take nanoseconds', () => {
  expect([0, 0.035, 0.9996, 3.7, 48.26, 999.4, 999.985, 19_922].map(fine)).toEqual([
    '0 ns',
    '35 ns',
    '1.00 µs',
    '3.70 µs',
    '48.3 µs',
    '999 µs',
    '1.0 ms',
    '19.9 ms',
  ]);
});

test('percentages never round to all or nothing', () => {
  expect(percent(1, 100_000)).toBe('<0.01%');
  expect(percent(99_999_999, 100_000_000)).toBe('>99.99%');
  expect([percent(0, 5), percent(5, 5), percent(1, 0), percent(1, 3), percent(1, 30)]).toEqual([
    '0%',
    '100%',
    '0%',
    '33.3%',
    '3.33%',
  ]);
});

test('shares that are not known for certain', () => {
  expect(range(41, 41, 1000)).toBe('4.1%');
  expect(range(41, 73, 1000)).toBe('4.1–7.3%');
  expect(range(123, 154, 1000)).toBe('12–15%');
  expect(range(0, 32, 1000)).toBe('≤ 3.2%');
  expect([range(0, 0, 1000), range(1, 1, 0), range(1, 1, 1e6), range(5, 5, 5)]).toEqual(['', '', '<0.1%', '100%']);
});

test('marks of a time axis', () => {
  expect(mark(0, 1e6)).toBe('0');
  expect(mark(3e6, 1e6)).toBe('3 s');
  expect(mark(1.5e6, 5e5)).toBe('1.5 s');
  expect(mark(40e3, 20e3)).toBe('40 ms');
  expect(mark(180e6, 60e6)).toBe('3 min');
});

test.each([
  [
    'Demo.Outer.Map<System.Int32, A.B>.Add(int, A.B)',
    [
      'Demo.Outer.Map<System.Int32, A.B>.Add(int, A.B)',
      '…Outer.Map<System.Int32, A.B>.Add(int, A.B)',
      'Map<System.Int32, A.B>.Add(int, A.B)',
      'Map<System.Int32, A.B>.Add',
      'Map<…>.Add',
      'Add',
    ],
  ],
  ['A.B.Worker..ctor()', ['A.B.Worker..ctor()', '…B.Worker..ctor()', 'Worker..ctor()', 'Worker..ctor', '.ctor']],
  [
    'std::vector<int>::push_back(int&&)',
    ['std::vector<int>::push_back(int&&)', 'vector<int>::push_back(int&&)', 'vector<int>::push_back', 'vector<…>::push_back', 'push_back'],
  ],
  ['[libcoreclr.so]', ['[libcoreclr.so]']],
  ['(System.Linq)', ['(System.Linq)']],
  ['qsort', ['qsort']],
  ['A.B.Run(Line) {A+B.Run(X.Line)}', ['A.B.Run(Line) {A+B.Run(X.Line)}', 'A.B.Run(Line)', 'B.Run(Line)', 'B.Run', 'Run']],
  ['msort_with_tmp.part.0', ['msort_with_tmp.part.0']],
  ['f(', ['f(']],
  [')', [')']],
  ['', ['']],
])('short forms of %s', (name, forms) => {
  expect(shortForms(name)).toEqual(forms);
});

test.each([
  ['Ns.Outer.Inner.Run(int)', 3, ['Ns.Outer.Inner.Run(int)', 'Outer.Inner.Run(int)', 'Outer.Inner.Run', 'Inner.Run', 'Run']],
  ['Ns.Worker.RunAsync(…) [async]', 3, ['Ns.Worker.RunAsync(…) [async]', 'Worker.RunAsync(…) [async]', 'Worker.RunAsync', 'RunAsync']],
  ['Ns.Program.Main.(lambda #0)', 3, ['Ns.Program.Main.(lambda #0)', 'Program.Main.(lambda #0)', 'Main.(lambda #0)']],
  ['Ns.Order.Total.get()', 3, ['Ns.Order.Total.get()', 'Order.Total.get()', 'Order.Total.get', 'Total.get']],
  ['Ns.Money.operator <(Money, int)', 3, ['Ns.Money.operator <(Money, int)', 'Money.operator <(Money, int)', 'Money.operator <', 'operator <']],
  ['Ns.Order.this[int].get()', 3, ['Ns.Order.this[int].get()', 'Order.this[int].get()', 'Order.this[int].get', 'this[int].get']],
])('short forms of %s, whose namespace is known', (name, own, forms) => {
  expect(shortForms(name, own)).toEqual(forms);
});

test('Type.Method, and the namespace alone', () => {
  expect(typeAndMethod('Ns.Sub.Worker.Run(int)')).toBe('Worker.Run');
  expect(typeAndMethod('Ns.Program.Main.(lambda #0)', 3)).toBe('Program.Main.(lambda #0)');
  expect(typeAndMethod('start_thread')).toBe('start_thread');
  expect(typeAndMethod('Demo.A.B.Run(Line) {Demo.A+B.Run(X.Line)}')).toBe('B.Run');
  expect(shortForms(`${'a.'.repeat(100_000)}Run()`)).toHaveLength(1);
  expect(typeAndMethod('(+7 System.Linq)')).toBe('(+7 System.Linq)');
  expect(splitName('Ns.Sub.Worker.Run(int)', 7)).toEqual(['Ns.Sub.', 'Worker.Run(int)']);
  expect(splitName('qsort')).toEqual(['', 'qsort']);
});

test('the longest form that fits, else a cut one, else none', () => {
  const labels = new Labels(['Demo.Parser.Parse(int)'], (text) => text.length * 10);
  expect(labels.fit(0, 220)).toBe('Demo.Parser.Parse(int)');
  expect(labels.fit(0, 219)).toBe('Parser.Parse(int)');
  expect(labels.fit(0, 120)).toBe('Parser.Parse');
  expect(labels.fit(0, 50)).toBe('Parse');
  expect(labels.fit(0, 45)).toBe('Par…');
  expect(labels.fit(0, 20)).toBe('');
  expect(labels.fitText('(+7 System.Linq)', 160)).toBe('(+7 System.Linq)');
  expect(labels.fitText('(+7 System.Linq)', 60)).toBe('(+7 S…');
});

test('functions sort by any column, ties by name', () => {
  const names = ['b', 'a', 'c'];
  const row = (frame: number, self: number, total: number) => ({ frame, self, total, samples: 1, heaviest: 0 });
  const rows = [row(0, 1, 9), row(1, 1, 3), row(2, 5, 5)];
  const order = (column: 'name' | 'self' | 'total', up: boolean) =>
    sortFunctions(rows, column, up, names).map((r) => names[r.frame]);
  expect(order('self', false)).toEqual(['c', 'a', 'b']);
  expect(order('total', false)).toEqual(['b', 'c', 'a']);
  expect(order('total', true)).toEqual(['a', 'c', 'b']);
  expect(order('name', true)).toEqual(['a', 'b', 'c']);
  expect(rows[0]!.frame).toBe(0);
});
