import { expect, test } from 'vitest';
import { KINDS, MANAGED, withRuntimeRow, type Report } from '../data/data';
import { reportOf, type TestSample } from '../data/made_up';
import { aggregate, allOf, visibleTree } from './aggregate';
import { FOLD_ASYNC, FOLD_OTHERS, noRuns, runName, withRunFrames } from './folding';
import { Model } from './model';

// Frames as "m:Main": of whose code they are: m the program's, f the framework's, a async machinery, r the runtime's.
// N native, n of the library that is under every thread, d made at run time, x a marker. What a run is called after one is
// its name before the first dot. See profile/query/folding_test.cc.
const ORIGINS: Record<string, [origin: number, rank: number, kind: number]> = {
  m: [0, 0, MANAGED],
  f: [1, 4, MANAGED],
  a: [2, 3, MANAGED],
  r: [1, 2, KINDS.indexOf('runtime')],
  N: [1, 2, KINDS.indexOf('native')],
  d: [1, 1, MANAGED],
  n: [1, 2, KINDS.indexOf('native')],
  x: [3, 0, KINDS.indexOf('other')],
};

function report(samples: TestSample[]): Report {
  const made = reportOf(samples);
  const names = made.frames.name.slice(0, -1);
  const of = (name: string) => ORIGINS[name[0]!]!;
  const frames = withRuntimeRow(
    withRunFrames(
      {
        name: names.map((name) => name.slice(2)),
        raw: names.map(() => ''),
        module: names.map(() => ''),
        kind: Uint8Array.from(names, (name) => of(name)[2]),
        own: new Uint32Array(names.length),
        inlined: new Uint8Array(names.length),
        tier: names.map(() => ''),
        runs: {
          ...noRuns(names.length),
          origin: Uint8Array.from(names, (name) => of(name)[0]),
          rank: Uint8Array.from(names, (name) => of(name)[1]),
          rankAtRoot: Uint8Array.from(names, (name) => (name[0] === 'n' ? 0 : of(name)[1])),
        },
      },
      names.map((name) => (name[0] === 'a' ? 'async' : name[0] === 'r' ? 'runtime' : name.slice(2).split('.')[0]!)),
    ),
  );
  return { ...made, frames };
}

function shown(r: Report, folding: number, hiddenKinds = 0): Record<string, number> {
  const tree = visibleTree(r.tree, r.frames, hiddenKinds, folding);
  const { self } = aggregate(r, tree, allOf(r));
  const name = (node: number): string => {
    const own = r.frames.name[tree.frame[node]!]!;
    const text = tree.folded[node]! > 0 ? runName(own, tree.folded[node]!) : own;
    return tree.parent[node] === 0 ? text : `${name(tree.parent[node]!)} > ${text}`;
  };
  return Object.fromEntries(Array.from(self, (weight, node) => [node === 0 ? '' : name(node), weight] as const).filter(([, weight]) => weight > 0));
}

const STACKS = report([
  { stack: 'm:Main;f:Linq.Where;f:Linq.Next;f:Core.Equals;m:Compare', weight: 5 },
  { stack: 'm:Main;f:Linq.Where', weight: 2 },
  { stack: 'r:clr;a:Dispatch;f:Http.Send;m:Outer;a:Start;a:Next;m:Inner', weight: 3 },
  { stack: 'r:clr;a:Dispatch;m:Work', weight: 1 },
]);

test('runs of frames that are not the program’s are one, called after what it called', () => {
  expect(shown(STACKS, FOLD_OTHERS)).toEqual({
    'Main > (+3 Linq) > Compare': 5,
    'Main > (+3 Linq)': 2,
    '(+3 Http) > Outer > (+2 async) > Inner': 3,
    '(+2 async) > Work': 1,
  });
});

test('async machinery folds alone', () => {
  expect(shown(STACKS, FOLD_ASYNC)).toEqual({
    'Main > Linq.Where > Linq.Next > Core.Equals > Compare': 5,
    'Main > Linq.Where': 2,
    'clr > (+1 async) > Http.Send > Outer > (+2 async) > Inner': 3,
    'clr > (+1 async) > Work': 1,
  });
});

test('a run goes on through frames of a hidden kind', () => {
  const stacks = report([{ stack: 'm:Main;f:Linq.A;r:clr;f:Linq.B', weight: 1 }]);
  expect(shown(stacks, FOLD_OTHERS, 1 << KINDS.indexOf('runtime'))).toEqual({ 'Main > (+2 Linq)': 1 });
});

test('under a hidden runtime the nearest frame called it, whatever the run is called', () => {
  const stacks = report([
    { stack: 'm:Main;f:Linq.A;N:ssl;r:clr', weight: 1 },
    { stack: 'm:Main;d:lambda;N:ssl;d:lambda;r:clr', weight: 2 },
  ]);
  expect(shown(stacks, FOLD_OTHERS, 1 << KINDS.indexOf('runtime'))).toEqual({
    'Main > (+2 Linq) > [runtime]': 1,
    'Main > (+3 ssl)': 2,
  });
});

test('under the process of several a run is called as at the root', () => {
  const stacks = report([{ stack: 'x:dotnet (pid 1);n:libc;d:lambda;m:Main', weight: 3 }]);
  expect(shown(stacks, FOLD_OTHERS)).toEqual({ 'dotnet (pid 1) > (+2 lambda) > Main': 3 });
});

test('a search says that what it looks for is folded', () => {
  const model = new Model(STACKS);
  const search = () => {
    model.search({ text: 'Linq.Next', regex: false });
    return [model.matches!.boxes.length, model.matches!.inRuns];
  };
  expect(search()).toEqual([1, false]);
  model.setFolding(FOLD_OTHERS);
  expect(search()).toEqual([0, true]);
});

test('the model folds and unfolds, and stays where it is', () => {
  const model = new Model(STACKS);
  const box = (name: string) => Array.from(model.boxes.node.keys()).find((i) => i > 0 && model.nameOf(i) === name)!;
  model.zoomTo(box('Compare'));
  model.toggleFolding(FOLD_OTHERS);
  expect(model.nameOf(model.zoom)).toBe('Compare');
  expect(model.foldedIn(box('(+3 Linq)'))).toBe(3);
  expect(model.functions.map((row) => model.report.frames.name[row.frame])).toEqual(['Compare']);
  model.toggleFolding(FOLD_OTHERS);
  expect(model.nameOf(model.zoom)).toBe('Compare');
  expect(box('Linq.Next')).toBeGreaterThan(0);
  expect(model.total).toBe(11);
});
