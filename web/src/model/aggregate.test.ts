import { expect, test } from 'vitest';
import { activityWeights, aggregate, allOf, blockedBy, kindsBy, stateWeights, threadWeights, visibleTree, type Filter } from './aggregate';
import type { Report } from '../data/data';
import { KINDS, STATES } from '../data/data';
import { reportOf, WALL } from '../data/made_up';

const report = reportOf([
  { stack: 'main;parse', weight: 10, thread: 0, bucket: 0 },
  { stack: 'main;parse;sort!native', weight: 5, count: 2, thread: 0, bucket: 1 },
  { stack: 'main', weight: 1, thread: 1, bucket: 1 },
  { stack: 'main;gc!runtime', weight: 20, thread: 1, bucket: 2, activity: 'gc' },
  { stack: 'main;jit!runtime', weight: 7, thread: 2, bucket: 3, activity: 'jit' },
]);

// name → [self, total, samples], over the visible nodes.
function numbers(r: Report, filter: Partial<Filter> = {}, hiddenKinds = 0) {
  const tree = visibleTree(r.tree, r.frames, hiddenKinds);
  const totals = aggregate(r, tree, { ...allOf(r), ...filter });
  return Object.fromEntries(
    Array.from(tree.parent, (_, i) => [
      i === 0 ? 'all' : r.frames.name[tree.frame[i]!]!,
      [totals.self[i], totals.total[i], totals.totalCount[i]],
    ]),
  );
}

test('self and total of every node', () => {
  expect(numbers(report)).toEqual({
    all: [0, 43, 6],
    main: [1, 43, 6],
    parse: [10, 15, 3],
    sort: [5, 5, 2],
    gc: [20, 20, 1],
    jit: [7, 7, 1],
  });
});

test('only chosen threads count', () => {
  expect(numbers(report, { threads: Uint8Array.from([0, 1, 0]) })).toMatchObject({
    all: [0, 21, 2],
    main: [1, 21, 2],
    parse: [0, 0, 0],
  });
});

test('a time range is half open', () => {
  expect(numbers(report, { from: 1, to: 3 })).toMatchObject({ all: [0, 26, 4], parse: [0, 5, 2], jit: [0, 0, 0] });
});

test('samples of a hidden activity are left out', () => {
  expect(numbers(report, { hiddenActivities: 1 << 3 })).toMatchObject({ all: [0, 23, 5], gc: [0, 0, 0] });
});

test('time in garbage collection and JIT is known at every caller', () => {
  const tree = visibleTree(report.tree, report.frames, 0);
  const { gc, jit } = aggregate(report, tree, allOf(report));
  expect([gc[0], jit[0]]).toEqual([20, 7]);
});

test('hidden kinds fold into their callers, and what then looks the same is one', () => {
  const folded = reportOf([
    { stack: 'main;stub!stub;work', weight: 3 },
    { stack: 'main;work', weight: 4 },
    { stack: 'main;stub!stub', weight: 2 },
    { stack: 'start!stub;main', weight: 1 },
  ]);
  expect(numbers(folded, {}, 1 << KINDS.indexOf('stub'))).toMatchObject({
    all: [0, 10, 4],
    main: [3, 10, 4],
    work: [7, 7, 2],
  });
});

test('the time of a hidden runtime is no thread entry’s', () => {
  const folded = reportOf([
    { stack: 'start!native;clr!runtime', weight: 3 },
    { stack: 'start!native;clr!runtime;main', weight: 4 },
    { stack: 'start!native;clr!runtime;main;clr!runtime', weight: 5 },
    { stack: 'clr!runtime', weight: 6 },
  ]);
  const tree = visibleTree(folded.tree, folded.frames, 1 << KINDS.indexOf('runtime'));
  const { self } = aggregate(folded, tree, allOf(folded));
  const name = (node: number) => (node === 0 ? 'all' : folded.frames.name[tree.frame[node]!]!);
  const rows = Array.from(tree.parent, (up, i) => `${name(up)} > ${name(i)}: ${self[i]}`).slice(1);
  expect(rows.sort()).toEqual(['all > [runtime]: 6', 'all > start: 0', 'start > [runtime]: 3', 'start > main: 9']);
});

test('activities are counted under the filter, hidden ones too', () => {
  const filter = { ...allOf(report), from: 0, to: 3, hiddenActivities: 1 << 3 };
  expect([...activityWeights(report, filter, 5)]).toEqual([16, 0, 0, 20, 0]);
});

test('nothing chosen is zero, not an error', () => {
  expect(numbers(report, { threads: new Uint8Array(3) }).all).toEqual([0, 0, 0]);
  expect(numbers(reportOf([])).all).toEqual([0, 0, 0]);
});

const wall = reportOf(
  [
    { stack: 'main;run', weight: 3, thread: 0, bucket: 0, state: 'running' },
    { stack: 'main;wait', weight: 40, thread: 0, bucket: 1, state: 'blocked', call: 'futex', wait: 'wait' },
    { stack: 'main;read', weight: 7, thread: 1, bucket: 1, state: 'blocked', call: 'read' },
    { stack: 'main;run', weight: 2, thread: 1, bucket: 2, state: 'runnable' },
  ],
  WALL,
);

test('samples of a hidden state are left out', () => {
  const hiddenStates = 1 << STATES.indexOf('blocked');
  expect(numbers(wall, { hiddenStates })).toMatchObject({ all: [0, 5, 2], wait: [0, 0, 0], run: [5, 5, 2] });
  expect([...stateWeights(wall, { ...allOf(wall), hiddenStates })]).toEqual([3, 2, 47]);
  expect([...threadWeights(wall, { ...allOf(wall), hiddenStates })]).toEqual([3, 2]);
});

test('time in each state is known at every caller', () => {
  const totals = aggregate(wall, visibleTree(wall.tree, wall.frames, 0), allOf(wall));
  expect(totals.states.map((state) => state[0])).toEqual([3, 2, 47]);
  expect(aggregate(report, visibleTree(report.tree, report.frames, 0), allOf(report)).states).toEqual([]);
});

test('blocked time by system call, whichever is chosen', () => {
  const read = wall.calls.indexOf('read');
  const rows = (filter: Partial<Filter>) =>
    blockedBy(wall, { ...allOf(wall), ...filter }, 'call').map((row) => [wall.calls[row.index], row.weight, row.samples]);
  expect(rows({})).toEqual([['futex', 40, 1], ['read', 7, 1]]);
  expect(rows({ call: read })).toEqual(rows({}));
  expect(rows({ from: 0, to: 1 })).toEqual([]);
  expect(rows({ threads: Uint8Array.from([0, 1]) })).toEqual([['read', 7, 1]]);
  expect(numbers(wall, { call: read }).all).toEqual([0, 7, 1]);
});

test('blocked time by the method that waits', () => {
  const rows = (filter: Partial<Filter>) =>
    blockedBy(wall, { ...allOf(wall), ...filter }, 'wait').map(({ index, weight }) => [wall.waits[index]!.method, weight]);
  const method = wall.frames.name.indexOf('wait');
  expect(rows({})).toEqual([[method, 40], [-1, 7]]);
  expect(rows({ wait: 1 })).toEqual(rows({}));
  expect(rows({ call: wall.calls.indexOf('read') })).toEqual([[-1, 7]]);
  expect(numbers(wall, { wait: 1 }).all).toEqual([0, 40, 1]);
});

test('allocations by type, whichever is chosen', () => {
  const alloc = reportOf([
    { stack: 'main;parse', weight: 30, type: 'String' },
    { stack: 'main;parse', weight: 5, bucket: 1, type: 'Node' },
    { stack: 'main;read', weight: 8, bucket: 1, type: 'String' },
  ]);
  const rows = (filter: Partial<Filter>) =>
    kindsBy(alloc, { ...allOf(alloc), ...filter }, 0).map((row) => [alloc.kinds[0]!.texts[row.index], row.weight, row.samples]);
  const kind = alloc.kinds[0]!.texts.indexOf('Node') + 1;
  expect(rows({})).toEqual([['String', 38, 2], ['Node', 5, 1]]);
  expect(rows({ kind })).toEqual(rows({}));
  expect(rows({ from: 1 })).toEqual([['String', 8, 1], ['Node', 5, 1]]);
  expect(numbers(alloc, { kind })).toMatchObject({ all: [0, 5, 1], parse: [5, 5, 1], read: [0, 0, 0] });
});

test('of a value whose largest counts nothing is added up', () => {
  const report = reportOf(
    [
      { stack: 'a;b', weight: 5 },
      { stack: 'a;b', weight: 9 },
      { stack: 'a;c', weight: 7 },
    ],
    { adding: 'max' },
  );
  const totals = aggregate(report, visibleTree(report.tree, report.frames, 0), allOf(report));
  expect([...totals.total]).toEqual([9, 9, 9, 7]);
  expect(totals.totalCount[0]).toBe(3);
});
