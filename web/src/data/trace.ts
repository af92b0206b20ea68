// Traced calls: figures of methods and of the call tree's nodes, and slow calls one by one. Of all processes and all
// threads, whatever is chosen. Times are microseconds; -1: not known. Specification and writer: formats/html_trace.h.

// In the order in which they are written.
export const FIGURES = [
  'calls', 'self', 'total', 'rawSelf', 'selfCpu', 'cpu', 'waiting', 'exceptions', 'allocated', 'least', 'median', 'p99', 'most',
] as const;
export type Figure = (typeof FIGURES)[number];
export type Figures = Record<Figure, number>;

export interface TracedMethod {
  name: string;
  module: string;
  frame: number; // of the report; -1: no stack has it
  timed: boolean; // else it only has its count: it was called too often
  problem: string; // why it was not traced; empty: it was
  figures: Figures;
}

export interface TracedValue {
  name: string;
  type: string;
  text: string;
}

export interface SlowCall {
  number: number;
  caller: number; // index into calls; -1: none that was kept
  method: number; // index into methods
  begin: number;
  took: number;
  cpu: number;
  waiting: number;
  thread: number;
  endedIn: number;
  node: number; // of its stack; 0: not known
  outcome: 'returned' | 'exception' | 'not_ended';
  arguments: TracedValue[];
  result: string; // or the exception
  lane: number;
  depth: number; // within its lane
}

export interface CallLane {
  thread: number;
  async: boolean;
  depth: number; // rows that it takes
}

export interface Trace {
  latency: number; // 0: calls are not kept one by one
  knowsCpu: boolean;
  insideNs: number;
  outsideNs: number;
  leftOut: number; // slow calls that are not in it
  notes: string[]; // what was not traced, and why
  methods: TracedMethod[];
  nodes: Map<number, Figures>; // by node of the report
  calls: SlowCall[]; // by lane, then begin
  lanes: CallLane[];
}

interface WrittenCall {
  number: number;
  caller: number;
  method: number;
  begin: number;
  took: number;
  cpu: number;
  waiting: number;
  thread: number;
  ended_in: number;
  node: number;
  outcome: SlowCall['outcome'];
  arguments: TracedValue[];
  result: string;
  lane: number;
}

export interface WrittenTrace {
  latency_us: number;
  cpu: boolean;
  inside_ns: number;
  outside_ns: number;
  left_out: number;
  notes?: string[];
  methods: { name: string; module: string; timed: boolean; problem: string; figures: number[] }[];
  nodes: { node: number; figures: number[] }[];
  calls: WrittenCall[];
  lanes: { thread: number; async: boolean }[];
}

const figuresOf = (written: number[]): Figures =>
  Object.fromEntries(FIGURES.map((name, i) => [name, written[i] ?? -1])) as Figures;

const lesser = (a: number, b: number) => (a < 0 ? b : b < 0 ? a : Math.min(a, b));

// Of two nodes together. How the calls of both are spread is not known.
export function together(a: Figures, b: Figures): Figures {
  const sum = Object.fromEntries(FIGURES.map((name) => [name, a[name] < 0 || b[name] < 0 ? -1 : a[name] + b[name]])) as Figures;
  return { ...sum, least: lesser(a.least, b.least), most: Math.max(a.most, b.most), median: -1, p99: -1 };
}

const ROUNDING = 1e-4; // us, of an end that is added up

// How deep each call is in its lane, where calls are by begin and each ends within the one it is in.
function setDepths(calls: SlowCall[], lanes: CallLane[]): void {
  let ends: number[] = [];
  let lane = -1;
  for (const call of calls) {
    if (call.lane !== lane) ends = [];
    lane = call.lane;
    while (ends.length > 0 && ends[ends.length - 1]! <= call.begin + ROUNDING) ends.pop();
    call.depth = ends.length;
    ends.push(call.begin + call.took);
    const of = lanes[lane];
    if (!of) throw new Error('a call of the report is in no lane');
    of.depth = Math.max(of.depth, ends.length);
  }
}

// frames: by name and module, as nameAndModule() has them.
export function readTrace(
  all: WrittenTrace[],
  limits: { nodes: number; threads: number },
  frames: Map<string, number>,
  clean: (text: string) => string,
): Trace | null {
  if (all.length === 0) return null;
  const trace: Trace = {
    latency: all[0]!.latency_us,
    knowsCpu: all.every((one) => one.cpu),
    insideNs: all[0]!.inside_ns,
    outsideNs: all[0]!.outside_ns,
    leftOut: all.reduce((sum, one) => sum + one.left_out, 0),
    notes: all.flatMap((one) => one.notes ?? []).map(clean),
    methods: [],
    nodes: new Map(),
    calls: [],
    lanes: [],
  };
  const inside = (index: number, limit: number) => {
    if (!(index >= 0 && index < limit)) throw new Error('a call of the report points outside the report');
    return index;
  };
  for (const one of all) {
    const [methods, lanes, calls] = [trace.methods.length, trace.lanes.length, trace.calls.length];
    for (const method of one.methods) {
      const [name, module] = [clean(method.name), clean(method.module)];
      const frame = frames.get(nameAndModule(name, module)) ?? -1;
      trace.methods.push({ ...method, name, module, frame, problem: clean(method.problem), figures: figuresOf(method.figures) });
    }
    for (const { node, figures } of one.nodes) {
      const known = trace.nodes.get(inside(node, limits.nodes));
      const read = figuresOf(figures);
      trace.nodes.set(node, known ? together(known, read) : read);
    }
    for (const lane of one.lanes) trace.lanes.push({ thread: inside(lane.thread, limits.threads), async: lane.async, depth: 0 });
    const byNumber = new Map(one.calls.map((call, i) => [call.number, calls + i]));
    for (const call of one.calls) {
      trace.calls.push({
        ...call,
        caller: byNumber.get(call.caller) ?? -1,
        method: methods + inside(call.method, one.methods.length),
        thread: inside(call.thread, limits.threads),
        endedIn: inside(call.ended_in, limits.threads),
        node: inside(call.node, limits.nodes),
        arguments: call.arguments.map((value) => ({ name: clean(value.name), type: clean(value.type), text: clean(value.text) })),
        result: clean(call.result),
        lane: lanes + inside(call.lane, one.lanes.length),
        depth: 0,
      });
    }
  }
  setDepths(trace.calls, trace.lanes);
  return trace;
}

export const nameAndModule = (name: string, module: string): string => `${name}\n${module}`;

// What it is called with, and what came of it: "(id: 42) threw System.TimeoutException: no answer".
export function valuesOf(call: SlowCall): string {
  const values = call.arguments.map(({ name, text }) => (name ? `${name}: ${text}` : text)).join(', ');
  const parts = call.arguments.length > 0 ? [`(${values})`] : [];
  if (call.outcome === 'exception') parts.push(`threw ${call.result || 'an exception'}`);
  else if (call.outcome === 'not_ended') parts.push('had not ended');
  else if (call.result !== '') parts.push(`returned ${call.result}`);
  return parts.join(' ');
}
