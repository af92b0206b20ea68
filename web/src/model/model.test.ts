import { expect, test } from 'vitest';
import { CATEGORIES } from './colours';
import { KINDS } from '../data/data';
import { stepFrom } from '../views/keyboard';
import { Model } from './model';
import { Pair } from './pair';
import { reportOf, WALL } from '../data/made_up';

const report = () =>
  reportOf([
    { stack: 'main;rt!runtime;deep work', weight: 6, thread: 0, bucket: 0 },
    { stack: 'main;wait', weight: 2, thread: 0, bucket: 1 },
    { stack: 'pool;work', weight: 4, thread: 1, bucket: 1 },
  ]);

const box = (model: Model, name: string) =>
  Array.from({ length: model.boxes.count }, (_, i) => i).find((i) => model.nameOf(i) === name)!;

test('zooming out goes back the way it came', () => {
  const model = new Model(report());
  model.zoomTo(box(model, 'main'));
  model.zoomTo(box(model, 'deep work'));
  expect(model.zoomOut()).toBe(true);
  expect(model.nameOf(model.zoom)).toBe('main');
  expect(model.zoomOut()).toBe(true);
  expect(model.zoom).toBe(0);
  expect(model.zoomOut()).toBe(false);
});

test('zoom and selection survive a filter as far as they have weight', () => {
  const model = new Model(report());
  model.zoomTo(box(model, 'rt'));
  model.select(box(model, 'deep work'));
  model.setFilter({ from: 1, to: 2 });
  expect(model.nameOf(model.zoom)).toBe('main');
  expect(model.selected).toBe(-1);
  expect(model.total).toBe(6);
});

test('a hidden kind keeps the zoom at what remains', () => {
  const model = new Model(report());
  model.zoomTo(box(model, 'rt'));
  model.select(box(model, 'deep work'));
  const work = model.boxes.total[model.selected];
  model.toggleKind(KINDS.indexOf('runtime'));
  expect(model.nameOf(model.zoom)).toBe('main');
  expect(model.nameOf(model.selected)).toBe('deep work');
  expect(model.boxes.total[model.selected]).toBe(work);
  model.toggleKind(KINDS.indexOf('runtime'));
  expect(model.boxes.count).toBe(new Model(report()).boxes.count);
});

test('the share follows filter and zoom', () => {
  const model = new Model(report());
  model.search({ text: 'work', regex: false });
  expect(model.matches!.weight).toBe(10);
  model.toggleThread(1);
  expect(model.matches!.weight).toBe(6);
  model.zoomTo(box(model, 'wait'));
  expect(model.matches!.weight).toBe(0);
});

test('a malformed expression is reported, not thrown', () => {
  const model = new Model(report());
  model.search({ text: '(', regex: true });
  expect(model.matches).toBeNull();
  expect(model.searchError).not.toBe('');
  model.search({ text: '', regex: true });
  expect(model.searchError).toBe('');
});

test('arrows follow the picture', () => {
  const model = new Model(report());
  const name = (from: string, key: string) => model.nameOf(stepFrom(model, from === 'all' ? 0 : box(model, from), key));
  expect(name('all', 'ArrowUp')).toBe('main');
  expect(name('main', 'ArrowRight')).toBe('pool');
  expect(name('pool', 'ArrowRight')).toBe('pool');
  expect(name('rt', 'ArrowDown')).toBe('main');
  expect(name('wait', 'ArrowUp')).toBe('wait');
  model.setIcicle(true);
  expect(name('all', 'ArrowDown')).toBe('main');
  expect(name('main', 'ArrowUp')).toBe('all');
  model.zoomTo(box(model, 'main'));
  expect(name('main', 'ArrowRight')).toBe('main');
});

test('functions are those within what is zoomed to', () => {
  const model = new Model(report());
  const shown = () => Object.fromEntries(model.functions.map((row) => [model.report.frames.name[row.frame], row.total]));
  expect(shown()).toEqual({ main: 8, rt: 6, 'deep work': 6, wait: 2, pool: 4, work: 4 });
  model.zoomTo(box(model, 'rt'));
  expect(shown()).toEqual({ rt: 6, 'deep work': 6 });
  expect(model.shown).toBe(6);
  model.focusFunction(model.functions.find((row) => row.self > 0)!);
  expect(model.nameOf(model.zoom)).toBe('rt');
  expect(model.nameOf(model.selected)).toBe('deep work');
});

test('threads have what they used in the chosen time', () => {
  const model = new Model(report());
  expect([...model.byThread]).toEqual([8, 4]);
  model.setFilter({ from: 1, to: 2 });
  expect([...model.byThread]).toEqual([2, 4]);
  model.toggleThread(1);
  expect([...model.byThread]).toEqual([2, 4]);
});

test('a frame keeps its colour, whatever its time went to', () => {
  const model = new Model(
    reportOf([
      { stack: 'start!native;clr!runtime', weight: 9, activity: 'gc', bucket: 0 },
      { stack: 'start!native;clr!runtime;main', weight: 1, bucket: 1 },
    ]),
  );
  const colours = () => ['start', 'clr'].map((name) => CATEGORIES[model.categoryOf(box(model, name))]);
  expect(colours()).toEqual(['native', 'runtime']);
  model.setFilter({ from: 1, to: 2 });
  expect(colours()).toEqual(['native', 'runtime']);
});

test('the libraries of the collector and the compiler have their colours', () => {
  const made = reportOf([{ stack: 'a!runtime;b!runtime;c!native' }]);
  made.frames.module = ['libclrjit.so', 'libclrgc.so', 'libclrgc.so'];
  const model = new Model(made);
  expect(['a', 'b', 'c'].map((name) => CATEGORIES[model.categoryOf(box(model, name))])).toEqual(['jit', 'gc', 'native']);
});

// Two events over one tree.
function twoEvents(): [cpu: Model, wall: Model] {
  const stacks = [
    { stack: 'main;work', bucket: 0 },
    { stack: 'main;wait', bucket: 1 },
  ];
  const weights = (cpu: number[]) => stacks.map((stack, i) => ({ ...stack, weight: cpu[i]! }));
  return [new Model(reportOf(weights([5, 0]))), new Model(reportOf(weights([5, 90]), WALL))];
}

test('another event keeps what is chosen as far as it has weight', () => {
  const [cpu, wall] = twoEvents();
  cpu.zoomTo(box(cpu, 'work'));
  cpu.setReport(wall.report);
  expect(cpu.total).toBe(95);
  expect(cpu.nameOf(cpu.zoom)).toBe('work');
  expect(cpu.title).toBe('Wall time');
  cpu.setFilter({ from: 1 });
  expect(cpu.nameOf(cpu.zoom)).toBe('main');
});

test('side by side both follow the choice of one', () => {
  const [cpu, wall] = twoEvents();
  const pair = new Pair(cpu, wall);
  cpu.setFilter({ to: 1 });
  expect(wall.total).toBe(95);
  pair.setTogether(true);
  expect(wall.total).toBe(5);
  wall.setFilter({ to: 2 });
  expect([cpu.total, wall.total]).toEqual([5, 95]);
  wall.zoomTo(box(wall, 'wait')); // which has no CPU time
  expect(cpu.nameOf(cpu.zoom)).toBe('main');
  cpu.search({ text: 'w', regex: false });
  expect(wall.matches?.boxes.length).toBe(1);
  wall.setIcicle(true);
  expect(cpu.icicle).toBe(true);
  pair.setTogether(false);
  cpu.toggleThread(0);
  expect(wall.total).toBe(95);
});

test('a kind that is chosen in one event is not chosen in the other', () => {
  const cpu = new Model(reportOf([{ stack: 'main;parse', weight: 9 }]));
  const alloc = new Model(reportOf([{ stack: 'main;parse', weight: 30, type: 'String' }, { stack: 'main', weight: 5, type: 'Node' }]));
  const pair = new Pair(cpu, alloc);
  pair.setTogether(true);
  alloc.setFilter({ label: 0, kind: alloc.report.kinds[0]!.texts.indexOf('Node') + 1 });
  expect(alloc.total).toBe(5);
  expect([cpu.filter.kind, cpu.total]).toEqual([0, 9]);
});
