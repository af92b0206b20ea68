// Blocked time by system call. A click leaves only the samples in that call, a second one brings the others back.
import type { CallRow } from '../model/aggregate';
import type { Model } from '../model/model';
import { byId, el } from '../ui/dom';
import { RowList } from '../ui/rows';
import { count, percent, plural } from '../ui/text';

const ROW = 36;

export class BlockedList {
  private rows: CallRow[] = [];
  private whole = 0;
  private model: Model;
  private readonly list: RowList;

  // models: those that may be shown, the first one to begin with.
  constructor(models: Model[]) {
    this.model = models[0]!;
    this.list = new RowList(byId('blocked-list'), ROW, (i) => this.row(this.rows[i]!), (i) => this.choose(i));
    byId('blocked-all').addEventListener('click', () => this.model.setFilter({ call: 0 }));
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

  private choose(index: number): void {
    const { call } = this.rows[index]!;
    this.model.setFilter({ call: this.model.filter.call === call ? 0 : call });
  }

  private show(): void {
    const { calls, filter, report } = this.model;
    this.rows = calls;
    this.whole = calls.reduce((sum, row) => sum + row.weight, 0);
    const chosen = filter.call === 0 ? '' : report.calls[filter.call]!;
    const share = `${this.model.amount(this.whole)} blocked in ${plural(calls.length, 'system call')}`;
    byId('blocked-count').textContent = chosen === '' ? share : `only in ${chosen}`;
    byId('blocked-all').hidden = chosen === '';
    byId('tab-blocked').dataset.badge = chosen;
    this.list.show(calls.length);
  }

  private row({ call, weight, samples }: CallRow): HTMLElement {
    const name = this.model.report.calls[call] || '(not known)';
    const { filter } = this.model;
    const bar = el('span', { class: 'bar blocked' });
    bar.style.width = `${this.whole > 0 ? (100 * weight) / this.whole : 0}%`;
    return el(
      'div',
      { role: 'option', 'aria-selected': String(filter.call === 0 || filter.call === call), title: name },
      bar,
      el(
        'span',
        { class: 'label' },
        el('span', { class: 'name' }, name),
        el('small', {}, `${count(samples)} ${samples === 1 ? 'sample' : 'samples'}`),
      ),
      el('span', { class: 'number' }, el('b', {}, percent(weight, this.whole)), el('small', {}, this.model.amount(weight))),
    );
  }
}
