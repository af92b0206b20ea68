// What an event's labels tell apart: allocations by type, waits by lock. A click leaves only the samples of that kind, a
// second one brings the others back.
import { kindsBy, type PartRow } from '../model/aggregate';
import type { Model } from '../model/model';
import { byId, el } from '../ui/dom';
import { nameElement } from '../ui/name';
import { RowList } from '../ui/rows';
import { count, percent, plural } from '../ui/text';

const ROW = 36;

export class KindList {
  private label = 0;
  private rows: PartRow[] = [];
  private whole = 0;
  private model: Model;
  private readonly list: RowList;

  // models: those that may be shown, the first one to begin with.
  constructor(models: Model[]) {
    this.model = models[0]!;
    this.list = new RowList(byId('kinds-list'), ROW, (i) => this.row(this.rows[i]!), (i) => this.choose(i));
    byId('kinds-all').addEventListener('click', () => this.model.setFilter({ kind: 0 }));
    for (const model of models) model.onChange((change) => change === 'data' && model === this.model && this.show());
    this.use(this.model);
  }

  use(model: Model): void {
    this.model = model;
    this.label = 0;
    this.show();
  }

  get offered(): boolean {
    return this.model.report.kinds.length > 0;
  }

  private choose(index: number): void {
    const chosen = this.rows[index]!.index + 1;
    const { filter } = this.model;
    const again = filter.label === this.label && filter.kind === chosen;
    this.model.setFilter({ label: this.label, kind: again ? 0 : chosen });
  }

  private show(): void {
    const { report, filter } = this.model;
    if (this.label >= report.kinds.length) this.label = 0;
    byId('kinds-by').replaceChildren(...report.kinds.map(({ name }, i) => this.button(name, i)));
    this.rows = this.offered ? kindsBy(report, filter, this.label) : [];
    this.whole = this.rows.reduce((sum, row) => sum + row.weight, 0);
    const chosen = filter.kind === 0 ? '' : this.textOf(filter.label, filter.kind - 1);
    const many = this.offered ? plural(this.rows.length, report.kinds[this.label]!.name.replace(/s$/, '')) : '';
    byId('kinds-count').textContent = chosen === '' ? `${this.model.amount(this.whole)} in ${many}` : `only ${chosen}`;
    byId('kinds-all').hidden = chosen === '';
    byId('tab-kinds').dataset.badge = chosen === '' ? '' : '1';
    this.list.show(this.rows.length);
  }

  private button(name: string, label: number): HTMLElement {
    const button = el('button', { type: 'button', 'aria-pressed': String(label === this.label) }, name);
    button.addEventListener('click', () => {
      this.label = label;
      this.show();
    });
    return button;
  }

  private textOf(label: number, index: number): string {
    return this.model.report.kinds[label]!.texts[index] || '(not known)';
  }

  private row({ index, weight, samples }: PartRow): HTMLElement {
    const { filter } = this.model;
    const text = this.textOf(this.label, index);
    const shown = filter.kind === 0 || filter.label !== this.label || filter.kind === index + 1;
    const bar = el('span', { class: 'bar kind' });
    bar.style.width = `${this.whole > 0 ? (100 * weight) / this.whole : 0}%`;
    return el(
      'div',
      { role: 'option', 'aria-selected': String(shown), title: text },
      bar,
      el(
        'span',
        { class: 'label' },
        nameElement(text),
        el('small', {}, `${count(samples)} ${samples === 1 ? 'sample' : 'samples'}`),
      ),
      el('span', { class: 'number' }, el('b', {}, percent(weight, this.whole)), el('small', {}, this.model.amount(weight))),
    );
  }
}
