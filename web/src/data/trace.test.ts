import { describe, expect, it } from 'vitest';
import { FIGURES, nameAndModule, readTrace, together, valuesOf, type WrittenTrace } from './trace';

const figures = (change: Partial<Record<(typeof FIGURES)[number], number>> = {}) =>
  FIGURES.map((name) => change[name] ?? (name === 'median' || name === 'p99' ? -1 : 1));

const call = (number: number, caller: number, begin: number, took: number, change: object = {}) => ({
  number,
  caller,
  method: 0,
  begin,
  took,
  cpu: -1,
  waiting: 0,
  thread: 1,
  ended_in: 1,
  node: 0,
  outcome: 'returned' as const,
  arguments: [],
  result: '',
  lane: 0,
  ...change,
});

const written = (change: Partial<WrittenTrace> = {}): WrittenTrace => ({
  latency_us: 10,
  cpu: true,
  inside_ns: 1,
  outside_ns: 2,
  left_out: 3,
  methods: [{ name: 'A.B()', module: 'a.dll', timed: true, problem: '', figures: figures({ calls: 7 }) }],
  nodes: [{ node: 1, figures: figures({ median: 4, p99: 9 }) }],
  calls: [call(1, 0, 100, 50), call(2, 1, 110, 20), call(3, 1, 130, 20), call(4, 3, 131, 2), call(5, 0, 150, 1)],
  lanes: [{ thread: 1, async: false }],
  ...change,
});

const LIMITS = { nodes: 3, threads: 2 };
const FRAMES = new Map([[nameAndModule('A.B()', 'a.dll'), 5]]);
const read = (...all: WrittenTrace[]) => readTrace(all, LIMITS, FRAMES, (text) => text)!;

describe('traced calls', () => {
  it('are read with the frames of their methods', () => {
    const trace = read(written());
    expect(trace.methods[0]!.frame).toBe(5);
    expect(trace.methods[0]!.figures.calls).toBe(7);
    expect(trace.nodes.get(1)!.p99).toBe(9);
    expect(readTrace([], LIMITS, FRAMES, (text) => text)).toBeNull();
  });

  it('are as deep in their lane as calls are on', () => {
    const trace = read(written());
    expect(trace.calls.map(({ depth }) => depth)).toEqual([0, 1, 1, 2, 0]);
    expect(trace.lanes[0]!.depth).toBe(3);
    expect(trace.calls.map(({ caller }) => caller)).toEqual([-1, 0, 0, 2, -1]);
  });

  it('of several processes keep their own callers and lanes', () => {
    const trace = read(written(), written());
    expect(trace.calls[6]!.caller).toBe(5);
    expect(trace.calls[5]!.lane).toBe(1);
    expect(trace.methods.length).toBe(2);
    expect(trace.leftOut).toBe(6);
    expect(trace.nodes.get(1)!.calls).toBe(2);
  });

  it('that point outside the report are refused', () => {
    expect(() => read(written({ calls: [call(1, 0, 0, 1, { method: 1 })] }))).toThrow('points outside');
    expect(() => read(written({ calls: [call(1, 0, 0, 1, { lane: 4 })] }))).toThrow('points outside');
    expect(() => read(written({ nodes: [{ node: 3, figures: figures() }] }))).toThrow('points outside');
    expect(() => read(written({ lanes: [{ thread: 2, async: false }] }))).toThrow('points outside');
  });

  it('of two nodes together have no median', () => {
    const trace = read(written());
    const both = together({ ...trace.nodes.get(1)!, least: 3, most: 5 }, { ...trace.nodes.get(1)!, least: -1, most: 9 });
    expect([both.calls, both.least, both.most, both.median]).toEqual([2, 3, 9, -1]);
  });

  it('say what they were called with and what came of it', () => {
    const one = { ...read(written()).calls[0]! };
    expect(valuesOf(one)).toBe('');
    one.arguments = [{ name: 'id', type: 'int', text: '42' }, { name: '', type: '', text: 'null' }];
    one.result = '17';
    expect(valuesOf(one)).toBe('(id: 42, null) returned 17');
    expect(valuesOf({ ...one, outcome: 'exception', result: 'X: y' })).toBe('(id: 42, null) threw X: y');
    expect(valuesOf({ ...one, outcome: 'not_ended' })).toBe('(id: 42, null) had not ended');
  });
});
