import { expect, test } from 'vitest';
import { eventOf, fromBase64, parseReport, readVarints, STATES, titleOf, undelta } from './data';

function varint(value: number): number[] {
  const out: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
}

const COLUMNS: Record<string, number[]> = {
  'frame.name': [0, 1],
  'frame.raw': [2, 2],
  'frame.module': [3, 2],
  'frame.kind': [0, 4],
  'frame.own': [6, 0],
  'frame.origin': [1, 3],
  'frame.run': [4, 2],
  'frame.rank': [8 * 4 + 1, 0],
  'frame.inlined': [1, 0],
  'frame.tier': [5, 2],
  'node.parent': [0, 1, 1],
  'node.frame': [0, 0, 1],
  'row.bucket': [0, 2, 4], // +0 +1 +2
  'row.thread': [0, 2, 1], // 0 1 0
  'row.node': [4, 1, 2], // 2 1 2
  'row.weight': [300, 5, 2 ** 40],
  'row.count': [1, 1, 7],
  'row.activity': [0, 3, 4],
};

function payload(changes: Record<string, number[]> = {}, header: object = {}): Uint8Array {
  const columns = Object.entries({ ...COLUMNS, ...changes });
  const bytes = columns.map(([, values]) => values.flatMap(varint));
  const json = new TextEncoder().encode(
    JSON.stringify({
      version: 1,
      command: 'x\u202ey',
      buckets: 4,
      threads: [{ name: 'a\u0007' }, { name: 'b' }],
      strings: ['Übung.Größe()', '', '', 'lib\u0000.so', 'lib', 'tier-1'],
      columns: columns.map(([name, values], i) => ({ name, count: values.length, bytes: bytes[i]!.length })),
      ...header,
    }),
  );
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, json.length, true);
  return Uint8Array.from([...size, ...json, ...bytes.flat()]);
}

test('a payload becomes frames, tree and rows', () => {
  const report = parseReport(payload())[0]!;
  expect(report.frames.name).toEqual(['Übung.Größe()', '[no name]', '(lib)', '[runtime]']);
  expect([...report.frames.own]).toEqual([6, 0, 0, 0]);
  expect([...report.frames.inlined]).toEqual([1, 0, 0, 0]);
  expect(report.frames.tier).toEqual(['tier-1', '', '', '']);
  expect([...report.frames.runs.origin]).toEqual([1, 3, 0, 0]);
  expect([...report.frames.runs.frame]).toEqual([2, 0, 0, 0]);
  expect([report.frames.runs.rank[0], report.frames.runs.rankAtRoot[0]]).toEqual([4, 1]);
  expect([...report.tree.parent]).toEqual([0, 0, 1]);
  expect([...report.rows.start]).toEqual([0, 1, 2, 2, 3]);
  expect([...report.rows.thread]).toEqual([0, 1, 0]);
  expect([...report.rows.node]).toEqual([2, 1, 2]);
  expect([...report.rows.weight]).toEqual([300, 5, 2 ** 40]);
  expect([...report.rows.activity]).toEqual([0, 3, 4]);
});

test('control and direction characters cannot garble names', () => {
  const report = parseReport(payload())[0]!;
  expect(report.frames.module[0]).toBe('lib\\u{0}.so');
  expect(report.meta.command).toBe('x\\u{202E}y');
  expect(report.meta.threads[0]!.name).toBe('a\\u{7}');
});

test.each([
  ['a node points outside the tree', { 'row.node': [4, 1, 20] }],
  ['a parent comes after its child', { 'node.parent': [0, 2, 1] }],
  ['a node has no frame', { 'node.frame': [0, 0, 2] }],
  ['a row belongs to no thread', { 'row.thread': [0, 2, 2] }],
  ['a row goes back before the start', { 'row.bucket': [0, 1, 0] }],
  ['a name is no string', { 'frame.name': [0, 9] }],
  ['a kind is unknown', { 'frame.kind': [0, 5] }],
  ['nobody knows of such an origin', { 'frame.origin': [0, 4] }],
  ['a frame is inlined more than once', { 'frame.inlined': [0, 2] }],
  ['a node has the frame of a run', { 'node.frame': [0, 0, 2] }],
])('a payload is refused when %s', (_, change) => {
  expect(() => parseReport(payload(change))).toThrow();
});

test('a cut payload is refused wherever it is cut', () => {
  const whole = payload();
  for (let size = 0; size < whole.length; size++) expect(() => parseReport(whole.subarray(0, size))).toThrow();
});

const LINES = {
  'node.place': [0, 1, 2],
  'place.document': [0, 0],
  'place.sure': [1, 0],
  'place.first': [2, 0],
  'place.last': [9, 0],
  'place.lines': [1, 2],
  'place.line': [3, 4, 5],
};
const DOCUMENTS = [{ path: '/src/a\u202e.cs', url: 'https://localhost/a', note: '', lines: 9, text: [{ first: 3, text: '\ta\u202e\n\nc\n' }] }];

test('source lines', () => {
  const { sources, tree } = parseReport(payload(LINES, { documents: DOCUMENTS }))[0]!;
  expect(tree.split).toBe(true);
  expect([...sources.ofNode]).toEqual([0, 1, 2]);
  expect(sources.places.slice(1)).toEqual([
    { document: 0, lines: [3], sure: true, first: 2, last: 9 },
    { document: 0, lines: [4, 5], sure: false, first: 0, last: 0 },
  ]);
  expect(sources.documents[0]!.path).toBe('/src/a\\u{202E}.cs');
  expect([...sources.documents[0]!.text]).toEqual([[3, '\ta\\u{202E}'], [4, ''], [5, 'c']]);
  expect(parseReport(payload())[0]!.tree.split).toBe(false);
});

test.each([
  ['a node has no such place', { 'node.place': [0, 1, 3] }],
  ['a node is without', { 'node.place': [0, 1] }],
  ['a place is in no file', { 'place.document': [0, 1] }],
  ['a place has no line', { 'place.lines': [1, 0] }],
  ['a place has lines that are not there', { 'place.lines': [1, 3] }],
])('source lines are refused when %s', (_, change) => {
  expect(() => parseReport(payload({ ...LINES, ...change }, { documents: DOCUMENTS }))).toThrow();
});

test('another version is refused by name', () => {
  expect(() => parseReport(payload({}, { version: 3 }))).toThrow('version 3');
});

test('varints of all sizes', () => {
  const values = [0, 127, 128, 16383, 16384, 2 ** 32, 2 ** 52];
  expect([...readVarints(Uint8Array.from(values.flatMap(varint)), values.length)]).toEqual(values);
  expect(() => readVarints(Uint8Array.from([0x80]), 1)).toThrow('cut short');
  expect(() => readVarints(Uint8Array.from([1, 1]), 1)).toThrow('left over');
});

test('differences may be negative', () => {
  expect([...undelta(Float64Array.from([10, 3, 0, 8]))]).toEqual([5, 3, 3, 7]);
});

test('base64 with white space around it', () => {
  expect([...fromBase64('\n AP+A \n')]).toEqual([0, 255, 128]);
});

const EVENTS = {
  version: 2,
  sources: [
    { name: 'cpu', value: 'cpu time', unit: 'nanoseconds', samples: 2, weight: 305, labels: [] },
    {
      name: 'wall',
      value: 'wall time',
      unit: 'nanoseconds',
      samples: 7,
      weight: 2 ** 40,
      labels: [
        { name: 'state', type: 'state' },
        { name: 'system call', type: 'system_call' },
      ],
    },
  ],
  label_sets: [[], ['running', ''], ['blocked', 'fu\u0007tex']],
};
const LABELLED = {
  'row.source': [0, 0, 1],
  'row.labels': [0, 0, 2],
  'node.wait_method': [0, 1, 1],
  'node.wait_caller': [0, 0, 2],
};

test('each event is a report of its own rows', () => {
  const [cpu, wall] = parseReport(payload(LABELLED, EVENTS));
  expect([...cpu!.rows.weight]).toEqual([300, 5]);
  expect([...cpu!.rows.start]).toEqual([0, 1, 2, 2, 2]);
  expect(cpu!.meta.samples).toBe(2);
  expect(cpu!.rows.state[0]).toBe(STATES.length);
  expect([...wall!.rows.weight]).toEqual([2 ** 40]);
  expect([...wall!.rows.start]).toEqual([0, 0, 0, 0, 1]);
  expect(wall!.meta.samples).toBe(7);
  expect(wall!.meta.threads.map((thread) => thread.samples)).toEqual([7, 0]);
  expect(STATES[wall!.rows.state[0]!]).toBe('blocked');
  expect(wall!.calls[wall!.rows.call[0]!]).toBe('fu\\u{7}tex');
  expect(wall!.waits[wall!.rows.wait[0]!]).toEqual({ method: 1, caller: 0 });
  expect([...cpu!.rows.wait]).toEqual([0, 0]);
  expect(wall!.tree).toBe(cpu!.tree);
});

test.each<[string, Record<string, number[]>, object]>([
  ['a row is of no event', { ...LABELLED, 'row.source': [0, 2, 1] }, EVENTS],
  ['a row has no label set', { ...LABELLED, 'row.labels': [0, 0, 3] }, EVENTS],
  ['the events are missing', LABELLED, { ...EVENTS, sources: [] }],
  ['the column of events is missing', {}, EVENTS],
  ['a wait is above the root', { ...LABELLED, 'node.wait_method': [0, 2, 1] }, EVENTS],
])('a payload of several events is refused when %s', (_, columns, header) => {
  expect(() => parseReport(payload(columns, header))).toThrow();
});

test('an event is called by what it measures', () => {
  const [cpu, wall] = parseReport(payload(LABELLED, EVENTS));
  expect(titleOf(cpu!.source)).toBe('CPU time');
  expect(titleOf(wall!.source)).toBe('Wall time');
  const alloc = { ...wall!.source, name: 'alloc', value: 'size', unit: 'bytes', clock: 'event' };
  expect([titleOf(alloc), eventOf(alloc)]).toEqual(['Alloc: size', 'Alloc']);
  expect(titleOf({ ...alloc, name: 'exceptions', value: 'exceptions', unit: 'count' })).toBe('Exceptions');
  expect(titleOf({ ...alloc, name: 'gc', value: 'pause', unit: 'nanoseconds' })).toBe('GC: pause');
});
