// Threads by what they have of the event in the chosen time, each with its curve over time, and beside it what they have
// of a second event that is shown. A click adds or takes one, "only" takes just this one.
import { byId, el } from '../ui/dom';
import type { Report } from '../data/data';
import type { Model } from '../model/model';
import { count, percent, plural } from '../ui/text';
import { RowList } from '../ui/rows';

const ROW = 36;
const BINS = 48;
const SVG = 'http://www.w3.org/2000/svg';

// Weight per thread and bin, for small curves.
export function sparks(model: Model): Float32Array {
  const { rows, meta } = model.report;
  const out = new Float32Array(meta.threads.length * BINS);
  for (let b = 0; b < meta.buckets; b++) {
    const bin = Math.floor((b * BINS) / meta.buckets);
    for (let i = rows.start[b]!; i < rows.start[b + 1]!; i++) out[rows.thread[i]! * BINS + bin]! += rows.weight[i]!;
  }
  return out;
}

export class ThreadList {
  private order: number[] = []; // heaviest first
  private readonly seen: number;
  private whole = 0; // weight of them all
  private wholeBeside = 0;
  private sparks: Float32Array = new Float32Array(0);
  private highest = 0;
  private counted: Report[] = []; // what `order` and `sparks` are of
  private beside: Model | null = null;
  private readonly list: RowList;

  // second: a model that may be shown beside the first.
  constructor(
    private readonly model: Model,
    private readonly second: Model | null = null,
  ) {
    this.seen = model.report.meta.threads.filter((thread) => thread.kind !== 'agent').length;
    this.list = new RowList(byId('threads-list'), ROW, (i) => this.row(this.order[i]!), (i) => this.toggle(i));
    byId('threads-all').addEventListener('click', () => this.choose(() => true));
    byId('threads-none').addEventListener('click', () => this.choose(() => false));
    model.onChange((change) => change === 'data' && this.show());
    second?.onChange((change) => change === 'data' && this.beside && this.show());
    this.show();
  }

  showBeside(shown: boolean): void {
    this.beside = shown ? this.second : null;
    this.show();
  }

  private countAgain(): void {
    const reports = [this.model.report, ...(this.beside ? [this.beside.report] : [])];
    if (reports.length === this.counted.length && reports.every((report, i) => report === this.counted[i])) return;
    this.counted = reports;
    const threads = this.model.report.meta.threads.map((_, i) => i);
    this.order = threads.filter((i) => reports.some(({ meta }) => meta.threads[i]!.samples > 0));
    this.sparks = sparks(this.model);
    this.highest = this.sparks.reduce((a, b) => Math.max(a, b), 0);
  }

  private choose(which: (thread: number) => boolean): void {
    this.model.setFilter({ threads: Uint8Array.from(this.model.filter.threads, (_, i) => Number(which(i))) });
  }

  private toggle(index: number): void {
    this.model.toggleThread(this.order[index]!);
  }

  private show(): void {
    this.countAgain();
    const { byThread, filter } = this.model;
    const second = this.beside?.byThread ?? new Float64Array(byThread.length);
    this.order.sort((a, b) => byThread[b]! - byThread[a]! || second[b]! - second[a]! || a - b);
    this.whole = byThread.reduce((a, b) => a + b, 0);
    this.wholeBeside = second.reduce((a, b) => a + b, 0);
    const chosen = this.order.filter((t) => filter.threads[t]).length;
    const sampled = this.order.length;
    byId('threads-count').textContent =
      chosen === sampled
        ? `${count(sampled)} of ${plural(this.seen, 'thread')} sampled`
        : `${count(chosen)} of ${count(sampled)} sampled chosen`;
    byId('tab-threads').dataset.badge = chosen === sampled ? '' : `${chosen}/${sampled}`;
    this.list.show(sampled);
  }

  private row(thread: number): HTMLElement {
    const { name, tid, kind } = this.model.report.meta.threads[thread]!;
    const chosen = this.model.filter.threads[thread] === 1;
    const only = el('button', { class: 'only', tabindex: '-1', title: 'Only this thread' }, 'only');
    only.addEventListener('click', (e) => {
      e.stopPropagation();
      this.choose((t) => t === thread);
    });
    return el(
      'div',
      { role: 'option', 'aria-selected': String(chosen), title: `${name} (${kind}, TID ${tid})` },
      el('span', { class: 'check', 'aria-hidden': 'true' }),
      el('span', { class: 'label' }, el('span', { class: 'name' }, name), el('small', {}, `${kind} · ${tid}`)),
      only,
      this.curve(thread),
      this.number(this.model, thread, this.whole),
      ...(this.beside ? [this.number(this.beside, thread, this.wholeBeside)] : []),
    );
  }

  private number(model: Model, thread: number, whole: number): HTMLElement {
    const used = model.byThread[thread]!;
    return el(
      'span',
      { class: 'number', title: model.title },
      el('b', {}, percent(used, whole)),
      el('small', {}, model.amount(used)),
    );
  }

  private curve(thread: number): SVGSVGElement {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', `0 0 ${BINS} 20`);
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('class', 'spark');
    svg.setAttribute('aria-hidden', 'true');
    let path = 'M0 20';
    for (let i = 0; i < BINS; i++) {
      const y = 20 - (this.highest > 0 ? (this.sparks[thread * BINS + i]! / this.highest) * 19 : 0);
      path += `V${y.toFixed(1)}H${i + 1}`;
    }
    const line = document.createElementNS(SVG, 'path');
    line.setAttribute('d', `${path}V20Z`);
    svg.append(line);
    return svg;
  }
}
