// Blocked time by the method that waits, or by system call. A click leaves only the samples in that one, a second one
// brings the others back.
import { blockedBy, type BlockedIn, type PartRow } from '../model/aggregate';
import type { Model } from '../model/model';
import { byId, el } from '../ui/dom';
import { nameElement } from '../ui/name';
import { RowList } from '../ui/rows';
import { count, percent, plural } from '../ui/text';

const ROW = 36;
const BY: readonly BlockedIn[] = ['wait', 'call'];

export class BlockedList {
  private by: BlockedIn = 'wait';
  private rows: PartRow[] = [];
  private whole = 0;
  private model: Model;
  private readonly list: RowList;

  // models: those that may be shown, the first one to begin with.
  constructor(models: Model[]) {
    this.model = models[0]!;
    this.list = new RowList(byId('blocked-list'), ROW, (i) => this.row(this.rows[i]!), (i) => this.choose(i));
    byId('blocked-all').addEventListener('click', () => this.model.setFilter({ call: 0, wait: 0 }));
    for (const by of BY) byId(`blocked-by-${by}`).addEventListener('click', () => this.showBy(by));
    for (const model of models) model.onChange((change) => change === 'data' && model === this.model && this.show());
    this.show();
  }

  use(model: Model): void {
    this.model = model;
    this.show();
  }

  get offered(): boolean {
    return this.model.report.calls.length > 1;
  }

  private showBy(by: BlockedIn): void {
    this.by = by;
    this.show();
  }

  private choose(index: number): void {
    const chosen = this.rows[index]!.index;
    this.model.setFilter({ [this.by]: this.model.filter[this.by] === chosen ? 0 : chosen });
  }

  private show(): void {
    const { filter } = this.model;
    this.rows = blockedBy(this.model.report, filter, this.by);
    this.whole = this.rows.reduce((sum, row) => sum + row.weight, 0);
    const chosen = BY.filter((by) => filter[by] !== 0).map((by) => this.nameOf(by, filter[by]));
    const many = plural(this.rows.length, this.by === 'call' ? 'system call' : 'place');
    byId('blocked-count').textContent =
      chosen.length === 0 ? `${this.model.amount(this.whole)} blocked in ${many}` : `only in ${chosen.join(', ')}`;
    byId('blocked-all').hidden = chosen.length === 0;
    byId('tab-blocked').dataset.badge = filter.call === 0 ? (chosen.length === 0 ? '' : '1') : this.nameOf('call', filter.call);
    for (const by of BY) byId(`blocked-by-${by}`).setAttribute('aria-pressed', String(by === this.by));
    this.list.show(this.rows.length);
  }

  private nameOf(by: BlockedIn, index: number): string {
    const { calls, waits, frames } = this.model.report;
    if (by === 'call') return calls[index] || '(not known)';
    const { method } = waits[index]!;
    return method < 0 ? '(no managed code)' : frames.name[method]!;
  }

  private callerOf(index: number): string {
    const caller = this.by === 'call' ? -1 : this.model.report.waits[index]!.caller;
    return caller < 0 ? '' : `for ${this.model.report.frames.name[caller]!} · `;
  }

  private row({ index, weight, samples }: PartRow): HTMLElement {
    const name = this.nameOf(this.by, index);
    const chosen = this.model.filter[this.by];
    const caller = this.callerOf(index);
    const bar = el('span', { class: 'bar blocked' });
    bar.style.width = `${this.whole > 0 ? (100 * weight) / this.whole : 0}%`;
    return el(
      'div',
      { role: 'option', 'aria-selected': String(chosen === 0 || chosen === index), title: `${caller}${name}` },
      bar,
      el(
        'span',
        { class: 'label' },
        nameElement(name),
        el('small', {}, `${caller}${count(samples)} ${samples === 1 ? 'sample' : 'samples'}`),
      ),
      el('span', { class: 'number' }, el('b', {}, percent(weight, this.whole)), el('small', {}, this.model.amount(weight))),
    );
  }
}
