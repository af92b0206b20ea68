// What was recorded, how well, and everything the reader of the report should be warned of.
import { eventOf, isTime, isTraced, type Meta, type Report } from '../data/data';
import { byId, el } from '../ui/dom';
import { amount, count, percent, plural, time } from '../ui/text';

const ENDS: Record<string, string> = {
  rooted: 'reached the thread’s entry',
  no_unwind_info: 'no unwind rule for the code',
  bad_memory: 'a stack word could not be read',
  bad_return: 'return address in no executable code',
  no_progress: 'the stack pointer did not move up',
  too_deep: 'deeper than the walk’s limit',
  gap: 'frames may be missing where [unknown frames] stands',
  not_walked: 'sums of events that came too fast to walk their stacks',
};
const DROPS: Record<string, string> = {
  ring_full: 'ring full',
  throttled: 'throttled, the time is in the next sample',
  busy: 'the tick interrupted the walker',
  stopping: 'the recording was ending',
  corrupt: 'damaged record',
  killed: 'the program was killed before it was handed over',
};

const lines = (counts: Record<string, number>, words: Record<string, string>) =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([key, n]) => `${count(n)}  ${words[key] ?? key}`)
    .join('\n');

function fact(label: string, value: string, title = '', bad = false): HTMLElement {
  const box = el('div', bad ? { class: 'bad' } : {}, el('dt', {}, label), el('dd', {}, value));
  if (title) box.title = title;
  return box;
}

// How often the event is sampled.
function period({ source, meta }: Report): string {
  if (source.clock === 'thread_cpu')
    return `one sample per ${time(meta.interval_ns / 1000)} of a thread’s CPU time, ${meta.engine} engine`;
  if (source.period === 0) return 'each one is a sample';
  if (source.clock === 'wall') return `one sample of each thread every ${time(source.period / 1000)}`;
  return `one sample every ${amount(isTime(source) ? source.period / 1000 : source.period, source.unit)}`;
}

function total({ source, meta }: Report): HTMLElement {
  const mean = meta.duration_us > 0 ? (source.weight / meta.duration_us).toFixed(2) : '';
  const of: Record<string, string> = { thread_cpu: 'cores on average', wall: 'threads on average' };
  const words = of[source.clock];
  const title = [source.value, mean && words ? `${mean} ${words}` : ''].filter(Boolean).join('\n');
  return fact(eventOf(source), amount(source.weight, source.unit), title);
}

// report: the event whose samples are shown. all: each says what it comes to.
export function facts(report: Report, all: Report[] = [report]): HTMLElement[] {
  const { meta } = report;
  const started = meta.start_ms > 0 ? `started ${new Date(meta.start_ms).toLocaleString()}` : '';
  return [
    fact('Runtime', meta.runtime || 'unknown', [meta.os, meta.host && `on ${meta.host}`].filter(Boolean).join('\n')),
    fact('Duration', time(meta.duration_us), started),
    ...all.map(total),
    ...(isTraced(report.source) ? tracedFacts(report) : sampledFacts(report)),
  ];
}

// Each call was seen.
function tracedFacts({ trace }: Report): HTMLElement[] {
  const { insideNs = 0, outsideNs = 0 } = trace ?? {};
  const probes = `Times are without the probes’ own: ${insideNs.toFixed(1)} ns of each call, ${outsideNs.toFixed(1)} ns of its caller`;
  return [fact('Methods', count(trace?.methods.filter((m) => m.figures.calls > 0).length ?? 0), `that were called\n${probes}`)];
}

function sampledFacts(report: Report): HTMLElement[] {
  const { meta } = report;
  const dropped = Object.values(meta.drops).reduce((a, b) => a + b, 0);
  const ends = lines(meta.walk_end, ENDS);
  const shortened = `${count(meta.shortened)}  lack frames in the middle, which --depth ${meta.depth} left out`;
  const walked = meta.samples - (meta.walk_end.not_walked ?? 0);
  const bad = walked > 0 && meta.whole / walked < 0.99;
  return [
    fact('Samples', count(meta.samples), `${period(report)}\n${count(meta.attempts)} attempts`),
    fact('Whole stacks', percent(meta.whole, walked), meta.shortened > 0 ? `${ends}\n${shortened}` : ends, bad),
    fact('Dropped', count(dropped), lines(meta.drops, DROPS) || 'nothing was lost', dropped > 0.01 * meta.attempts),
  ];
}

const LEAST_SHARE = 0.001; // of a part that the headline has

// "your code 85.8%", "framework 0.2%", …
export function headline(report: Report): HTMLElement[] {
  const parts = report.meta.headline ?? [];
  return parts
    .filter((part) => part.share >= LEAST_SHARE)
    .map((part) => el('span', {}, part.what, ' ', el('b', {}, percent(part.share, 1))));
}

export function warnings(meta: Meta): string[] {
  const out: string[] = [];
  if (meta.damage) out.push(`The recording is damaged: ${meta.damage}`);
  if (!meta.complete) out.push('The recording was cut off: the program or the agent did not end in good order.');
  for (const m of meta.messages) if (m.severity === 'warning') out.push(m.text);
  return out;
}

export function showHeader(report: Report, all: Report[] = [report]): void {
  const { meta } = report;
  document.title = `${meta.command || 'profile'} – walkabout`;
  byId('command').textContent = meta.command || 'unknown command';
  byId('command').title = `${meta.command}\nPID ${meta.pid}`;
  byId('facts').replaceChildren(...facts(report, all));
  const words = headline(report);
  byId('headline').replaceChildren(...words);
  byId('headline').hidden = words.length === 0;
  const bad = warnings(meta);
  const notes = [...meta.messages.filter((m) => m.severity !== 'warning').map((m) => m.text), ...(report.trace?.notes ?? [])];
  const box = byId<HTMLDetailsElement>('warnings');
  box.hidden = bad.length + notes.length === 0;
  box.classList.toggle('notes', bad.length === 0);
  const summary = bad.length === 1 ? bad[0]! : bad.length > 1 ? plural(bad.length, 'warning') : plural(notes.length, 'note');
  byId('warnings-summary').textContent = summary;
  const rest = bad.length === 1 ? notes : [...bad, ...notes];
  byId('warnings-list').replaceChildren(...rest.map((text) => el('li', {}, text)));
  box.open = bad.length > 1;
  box.classList.toggle('single', rest.length === 0);
}
