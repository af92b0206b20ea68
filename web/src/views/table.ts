// Functions by self or total time within what is zoomed to. A click shows everywhere the function is called there.
import { KINDS } from '../data/data';
import { byId, el } from '../ui/dom';
import { sortFunctions, type Column, type FunctionRow } from '../model/functions';
import type { Model } from '../model/model';
import { percent, time } from '../ui/text';
import { RowList } from '../ui/rows';

const ROW = 36;

export class FunctionTable {
  private rows: FunctionRow[] = [];
  private column: Column = 'self';
  private ascending = false;
  private stale = true;
  private wanted: Uint8Array | null = null; // frames the search matches
  private readonly list: RowList;
  private readonly headings = new Map<Column, HTMLElement>();

  constructor(
    private readonly model: Model,
    private readonly panel: HTMLElement,
    private readonly focused: (row: FunctionRow) => void,
  ) {
    this.list = new RowList(byId('functions-list'), ROW, (i) => this.row(this.rows[i]!), (i) => this.focus(i));
    for (const column of ['name', 'self', 'total'] as const) {
      const heading = byId(`sort-${column}`);
      heading.addEventListener('click', () => this.sort(column));
      this.headings.set(column, heading);
    }
    model.onChange((change) => {
      if (change === 'look') return;
      this.stale = true;
      this.refresh();
    });
    this.refresh();
  }

  // Does nothing while the panel is not in sight.
  refresh(): void {
    if (!this.stale || this.panel.hidden) return;
    this.stale = false;
    // A function chosen here does not narrow the list it was chosen from.
    if (this.model.focusedFrame < 0) this.wanted = this.model.matches?.frames ?? null;
    const rows = this.model.functions.filter((row) => !this.wanted || this.wanted[row.frame]);
    this.rows = sortFunctions(rows, this.column, this.ascending, this.model.report.frames.name);
    for (const [column, heading] of this.headings) {
      const order = this.ascending ? 'ascending' : 'descending';
      heading.dataset.sort = column === this.column ? order : 'none';
      heading.setAttribute('aria-pressed', String(column === this.column));
    }
    this.list.show(this.rows.length);
  }

  private sort(column: Column): void {
    this.ascending = column === this.column ? !this.ascending : column === 'name';
    this.column = column;
    this.stale = true;
    this.refresh();
  }

  private focus(index: number): void {
    this.focused(this.rows[index]!);
  }

  private row(row: FunctionRow): HTMLElement {
    const { frames } = this.model.report;
    const name = frames.name[row.frame]!;
    const kind = KINDS[frames.kind[row.frame]!]!;
    const whole = this.model.shown;
    const number = (us: number) =>
      el('span', { class: 'number' }, el('b', {}, percent(us, whole)), el('small', {}, time(us)));
    const bar = el('span', { class: `bar ${kind}` });
    bar.style.width = `${whole > 0 ? (100 * row[this.column === 'total' ? 'total' : 'self']) / whole : 0}%`;
    const label = el(
      'span',
      { class: 'label' },
      el('span', { class: 'name' }, name),
      el('small', {}, el('span', { class: `swatch ${kind}` }), frames.module[row.frame] || kind),
    );
    return el('div', { role: 'option', title: name }, bar, label, number(row.self), number(row.total));
  }
}
