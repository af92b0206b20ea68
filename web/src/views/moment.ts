// One event of the runtime in the panel: when it was, what its labels say, and its stack, leaf first.
import { KINDS, type Report } from '../data/data';
import { begin } from '../data/moments';
import { placeText } from '../data/sources';
import { byId, el } from '../ui/dom';
import type { Model } from '../model/model';
import { nameElement } from '../ui/name';
import { time } from '../ui/text';

export class MomentView {
  private readonly box = byId('moment');

  constructor(
    private readonly model: Model,
    private readonly opened: () => void,
  ) {}

  show(i: number): void {
    const { moments, meta } = this.model.report;
    const lane = moments.lanes[moments.lane[i]!]!;
    const [from, end, took] = [begin(moments, i), moments.end[i]!, moments.took[i]!];
    const facts = el('dl', { class: 'facts' });
    const fact = (name: string, value: string) => value !== '' && facts.append(el('dt', {}, name), el('dd', {}, value));
    fact(took > 0 ? 'from' : 'at', took > 0 ? `${time(from)} to ${time(end)}` : time(end));
    if (took > 0) fact('took', time(took));
    const thread = meta.threads[moments.thread[i]!]!;
    fact('thread', `${thread.name} (${thread.tid})`);
    const set = moments.sets[moments.set[i]!] ?? [];
    lane.labels.forEach((name, label) => fact(name, set[label] === '0' ? '' : (set[label] ?? '')));
    const choose = el('button', { class: 'link', type: 'button' }, 'show this time alone');
    choose.addEventListener('click', () => this.choose(from, end));
    const head = el('div', { class: 'headings' }, el('span', {}, el('b', {}, lane.name)), choose);
    this.box.replaceChildren(head, facts, stackList(this.model.report, moments.node[i]!));
    this.box.scrollTop = 0;
    this.opened();
  }

  private choose(from: number, to: number): void {
    const { bucket_us, buckets } = this.model.report.meta;
    const first = Math.min(Math.floor(from / bucket_us), buckets - 1);
    this.model.setFilter({ from: first, to: Math.min(Math.max(Math.ceil(to / bucket_us), first + 1), buckets) });
  }
}

// A stack, leaf first.
export function stackList({ tree, frames, sources }: Report, leaf: number): HTMLElement {
  const list = el('ol', { class: 'stack', 'aria-label': 'Stack, the innermost frame first' });
  for (let node = leaf; node !== 0; node = tree.parent[node]!) {
    const frame = tree.frame[node]!;
    const kind = KINDS[frames.kind[frame]!]!;
    const swatch = el('span', { class: `swatch ${kind}` });
    const name = nameElement(frames.name[frame]!, frames.own[frame]);
    name.title = [frames.name[frame]!, frames.raw[frame]!].filter(Boolean).join('\n');
    const place = placeText(sources, sources.ofNode[node] ?? 0);
    list.append(el('li', {}, swatch, name, el('small', {}, place || frames.module[frame]!)));
  }
  return list;
}
