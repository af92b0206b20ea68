// Threads by CPU time in the chosen time, each with what it used over time. A click adds or takes one, "only" takes just this one.
import { byId, el } from '../ui/dom';
import type { Model } from '../model/model';
import { count, percent, plural, time } from '../ui/text';
import { RowList } from '../ui/rows';

const ROW = 36;
const BINS = 48;
const SVG = 'http://www.w3.org/2000/svg';

// CPU time per thread and bin, for small curves.
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
  private readonly order: number[]; // heaviest first
  private readonly seen: number;
  private whole = 0; // CPU time of them all
  private readonly sparks: Float32Array;
  private readonly highest: number;
  private readonly list: RowList;

  constructor(private readonly model: Model) {
    const { threads } = model.report.meta;
    this.order = threads.map((_, i) => i).filter((i) => threads[i]!.samples > 0);
    this.seen = threads.filter((thread) => thread.kind !== 'agent').length;
    this.sparks = sparks(model);
    this.highest = this.sparks.reduce((a, b) => Math.max(a, b), 0);
    this.list = new RowList(byId('threads-list'), ROW, (i) => this.row(this.order[i]!), (i) => this.toggle(i));
    byId('threads-all').addEventListener('click', () => this.choose(() => true));
    byId('threads-none').addEventListener('click', () => this.choose(() => false));
    model.onChange((change) => change === 'data' && this.show());
    this.show();
  }

  private choose(which: (thread: number) => boolean): void {
    this.model.setFilter({ threads: Uint8Array.from(this.model.filter.threads, (_, i) => Number(which(i))) });
  }

  private toggle(index: number): void {
    this.model.toggleThread(this.order[index]!);
  }

  private show(): void {
    const { byThread, filter } = this.model;
    this.order.sort((a, b) => byThread[b]! - byThread[a]! || a - b);
    this.whole = byThread.reduce((a, b) => a + b, 0);
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
    const used = this.model.byThread[thread]!;
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
      el(
        'span',
        { class: 'number' },
        el('b', {}, percent(used, this.whole)),
        el('small', {}, time(used)),
      ),
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
