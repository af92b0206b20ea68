// What is known about one box, beside the pointer or the selected box.
import { hasLines, KINDS, STATES } from '../data/data';
import { placeText } from '../data/sources';
import type { Figures } from '../data/trace';
import { el } from '../ui/dom';
import type { Model } from '../model/model';
import { CATEGORIES } from '../model/colours';
import { amount, fine, percent, plural } from '../ui/text';

export interface Description {
  name: string;
  run: number; // of so many frames at most the box is a run; 0: of none
  raw: string;
  module: string;
  kind: string;
  tier: string; // what compiled it
  inlined: boolean; // its code is in its caller's
  category: string;
  total: number;
  self: number;
  whole: number;
  zoomed: number; // total of what is zoomed to, 0 when nothing is
  samples: number;
  selfSamples: number;
  gc: number; // part of total spent collecting garbage
  jit: number; // … compiling
  states: number[]; // … in each state; empty where the event does not tell them apart
  unit: string;
  places: string[]; // file and lines, those that took most first
  counts: string; // what `samples` are
  calls: Figures | null; // of a traced method called so: of all threads and the whole recording
}

const WORDS: Record<string, string> = {
  managed: 'managed code',
  native: 'native library',
  runtime: 'the runtime’s native code',
  stub: 'generated stub',
  other: 'marker',
  gc: 'garbage collection',
  jit: 'JIT compiler',
};
export const wordsFor = (category: string) => WORDS[category] ?? category;

export function describe(model: Model, box: number): Description {
  const node = model.boxes.node[box]!;
  const frame = model.frameOf(box);
  const { frames } = model.report;
  const root = box === 0;
  const name = model.nameOf(box);
  const run = model.foldedIn(box);
  return {
    name: root ? 'All chosen samples' : name,
    run,
    raw: root || run > 0 || frames.raw[frame] === name ? '' : frames.raw[frame]!,
    module: root ? '' : frames.module[frame]!,
    kind: root ? '' : KINDS[frames.kind[frame]!]!,
    tier: root || run > 0 ? '' : frames.tier[frame]!,
    inlined: !root && run === 0 && frames.inlined[frame] === 1,
    category: CATEGORIES[model.categoryOf(box)]!,
    total: model.totals.total[node]!,
    self: model.totals.self[node]!,
    whole: model.total,
    zoomed: model.zoom === 0 ? 0 : model.shown,
    samples: model.totals.totalCount[node]!,
    selfSamples: model.totals.selfCount[node]!,
    gc: model.totals.gc[node]!,
    jit: model.totals.jit[node]!,
    states: model.totals.states.map((state) => state[node]!),
    unit: model.report.source.unit,
    places: placesOf(model, node),
    counts: model.report.source.counts ?? 'sample',
    calls: model.callsAt(node),
  };
}

const MOST_PLACES = 4;

// "Program.cs:22", of several "Program.cs:22 61.2%".
function placesOf(model: Model, node: number): string[] {
  if (node === 0 || !hasLines(model.report)) return [];
  const costs = model.lineCosts.ofBox(node);
  const total = model.totals.total[node]!;
  const byTotal = [...costs].sort((a, b) => b.total - a.total).slice(0, MOST_PLACES);
  const texts = byTotal.map((cost) => {
    const text = placeText(model.report.sources, cost.place);
    return costs.length > 1 || cost.total < total ? `${text}  ${percent(cost.total, total)}` : text;
  });
  return costs.length > MOST_PLACES ? [...texts, `and ${plural(costs.length - MOST_PLACES, 'more place')}`] : texts;
}

function kindText(d: Description): string {
  const kind = wordsFor(d.kind);
  const tier = d.tier ? `${kind}, ${d.tier}` : kind;
  return d.category === d.kind ? tier : `${tier}, ${wordsFor(d.category)}`;
}

// "20 calls of 5.00 ms to 20.0 ms, median 9.96 ms".
function callLines(calls: Figures): HTMLElement {
  const lines = [plural(calls.calls, 'call')];
  if (calls.most > 0) lines[0] += calls.calls === 1 ? ` of ${fine(calls.most)}` : ` of ${fine(calls.least)} to ${fine(calls.most)}`;
  if (calls.median >= 0 && calls.calls > 1) lines[0] += `, median ${fine(calls.median)}, p99 ${fine(calls.p99)}`;
  if (calls.waiting > 0) lines.push(`waiting ${fine(calls.waiting)}`);
  if (calls.cpu >= 0 && calls.cpu > 0) lines.push(`on a processor ${fine(calls.cpu)} with what it called`);
  if (calls.exceptions > 0) lines.push(`${plural(calls.exceptions, 'call')} ended by an exception`);
  return el('div', { class: 'quiet' }, lines.join(' · '));
}

// The same in one sentence, for screen readers.
export function asSentence(d: Description): string {
  const where = d.module ? `, ${d.module}` : '';
  const kind = d.kind ? `, ${kindText(d)}` : '';
  return (
    `${d.name}${where}${kind}: total ${amount(d.total, d.unit)}, ${percent(d.total, d.whole)}; ` +
    `self ${amount(d.self, d.unit)}, ${percent(d.self, d.whole)}; ${plural(d.samples, d.counts)}` +
    (d.places.length > 0 ? `; ${d.places.join(', ')}` : '')
  );
}

export class Tooltip {
  constructor(private readonly box: HTMLElement) {}

  show(d: Description, x: number, y: number): void {
    const numbers = el('dl', { class: 'numbers' });
    const line = (label: string, value: string, share: string, samples: number) =>
      numbers.append(
        el('dt', {}, label),
        el('dd', {}, value),
        el('dd', {}, share),
        el('dd', { class: 'quiet' }, plural(samples, d.counts)),
      );
    line('Total', amount(d.total, d.unit), percent(d.total, d.whole), d.samples);
    line('Self', amount(d.self, d.unit), percent(d.self, d.whole), d.selfSamples);
    const content: Node[] = [el('div', { class: 'name' }, d.name)];
    if (d.raw) content.push(el('div', { class: 'raw' }, d.raw));
    if (d.kind) {
      const swatch = el('span', { class: `swatch ${d.category}` });
      content.push(el('div', { class: 'where' }, swatch, d.module ? `${d.module} · ` : '', kindText(d)));
    }
    if (d.inlined) content.push(el('div', { class: 'quiet' }, 'inlined: its code is part of its caller’s'));
    if (d.places.length > 0) content.push(el('ul', { class: 'places' }, ...d.places.map((text) => el('li', {}, text))));
    content.push(numbers);
    if (d.calls) content.push(callLines(d.calls));
    if (d.run > 0) content.push(el('div', { class: 'quiet' }, `${plural(d.run, 'frame')} at most, folded`));
    const spent = ([['gc', d.gc], ['jit', d.jit]] as const).filter(([, us]) => us > 0);
    for (const [what, us] of spent)
      content.push(el('div', { class: 'quiet' }, `${percent(us, d.total)} of it: ${wordsFor(what)}`));
    const states = STATES.filter((_, i) => d.states[i]! > 0).map((state) => `${state} ${percent(d.states[STATES.indexOf(state)]!, d.total)}`);
    if (states.length > 0) content.push(el('div', { class: 'quiet' }, states.join(' · ')));
    if (d.zoomed > 0) content.push(el('div', { class: 'quiet' }, `${percent(d.total, d.zoomed)} of the zoomed frame`));
    this.box.replaceChildren(...content);
    this.box.hidden = false;
    this.place(x, y);
  }

  hide(): void {
    this.box.hidden = true;
  }

  private place(x: number, y: number): void {
    const { width, height } = this.box.getBoundingClientRect();
    const left = Math.min(x + 14, innerWidth - width - 8);
    const below = y + 18;
    const top = below + height > innerHeight - 8 ? y - height - 12 : below;
    this.box.style.left = `${Math.max(8, left)}px`;
    this.box.style.top = `${Math.max(8, top)}px`;
  }
}
