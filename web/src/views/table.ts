// Functions by self or total within what is zoomed to, or by the totals of two events. A click shows everywhere the
// function is called there.
import { hasLines, KINDS } from '../data/data';
import { placeText } from '../data/sources';
import { byId, el } from '../ui/dom';
import { sortFunctions, type Column, type FunctionRow } from '../model/functions';
import type { Model } from '../model/model';
import { percent } from '../ui/text';
import { nameElement } from '../ui/name';
import { RowList } from '../ui/rows';

const ROW = 36;

export class FunctionTable {
  private rows: FunctionRow[] = [];
  private column: Column = 'self';
  private ascending = false;
  private stale = true;
  private wanted: Uint8Array | null = null; // frames the search matches
  private beside: Model | null = null;
  private readonly list: RowList;
  private readonly headings = new Map<Column, HTMLElement>();

  constructor(
    private readonly model: Model,
    private readonly panel: HTMLElement,
    private readonly focused: (row: FunctionRow) => void,
    private readonly second: Model | null = null, // a model that may be shown beside the first
    private readonly source: (frame: number) => void = () => {}, // its source is asked for
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
    second?.onChange((change) => {
      if (change === 'look' || !this.beside) return;
      this.stale = true;
      this.refresh();
    });
    this.refresh();
  }

  // The totals of the second event beside those of the first.
  showBeside(shown: boolean): void {
    const beside = shown ? this.second : null;
    this.beside = beside;
    this.headings.get('self')!.textContent = beside ? this.model.title : 'Self';
    this.headings.get('total')!.textContent = beside ? beside.title : 'Total';
    this.stale = true;
    this.refresh();
  }

  // Of two events `self` is the total in the first, `total` that in the second.
  private functions(): FunctionRow[] {
    if (!this.beside) return this.model.functions;
    const rows = new Map<number, FunctionRow>();
    for (const row of this.model.functions) rows.set(row.frame, { ...row, self: row.total, total: 0 });
    for (const row of this.beside.functions) {
      const known = rows.get(row.frame);
      if (known) known.total = row.total;
      else rows.set(row.frame, { ...row, self: 0, heaviest: -1 });
    }
    return [...rows.values()];
  }

  // Of the row that keys move to; empty: there is none.
  get nameInView(): string {
    return this.frameInView < 0 ? '' : this.model.report.frames.name[this.frameInView]!;
  }

  get frameInView(): number {
    return this.rows[this.list.current]?.frame ?? -1;
  }

  // Does nothing while the panel is not in sight.
  refresh(): void {
    if (!this.stale || this.panel.hidden) return;
    this.stale = false;
    // A function chosen here does not narrow the list it was chosen from.
    if (this.model.focusedFrame < 0) this.wanted = this.model.matches?.frames ?? null;
    const rows = this.functions().filter((row) => !this.wanted || this.wanted[row.frame]);
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
    const models = { self: this.model, total: this.beside ?? this.model };
    const number = (column: 'self' | 'total') => {
      const model = models[column];
      const share = el('b', {}, percent(row[column], model.shown));
      return el('span', { class: 'number' }, share, el('small', {}, model.amount(row[column])));
    };
    const bar = el('span', { class: `bar ${kind}` });
    const shown = this.column === 'total' ? 'total' : 'self';
    const whole = models[shown].shown;
    bar.style.width = `${whole > 0 ? (100 * row[shown]) / whole : 0}%`;
    const place = this.placeOf(row.frame);
    const label = el(
      'span',
      { class: 'label' },
      nameElement(name, frames.own[row.frame]),
      el('small', {}, el('span', { class: `swatch ${kind}` }), [frames.module[row.frame] || kind, place].filter(Boolean).join(' · ')),
    );
    const source = place === '' ? [] : [this.sourceButton(row.frame)];
    return el('div', { role: 'option', title: [name, place].filter(Boolean).join('\n') }, bar, label, ...source, number('self'), number('total'));
  }

  // The line that takes most, and how many others there are.
  private placeOf(frame: number): string {
    if (!hasLines(this.model.report)) return '';
    const [hottest, ...others] = this.model.lineCosts.ofFrame(frame);
    if (!hottest) return '';
    return placeText(this.model.report.sources, hottest.place) + (others.length > 0 ? ` +${others.length}` : '');
  }

  private sourceButton(frame: number): HTMLElement {
    const button = el('button', { class: 'only', tabindex: '-1', title: 'Its source, and what each line took (s)' }, 'source');
    button.addEventListener('click', (e) => {
      e.stopPropagation();
      this.source(frame);
    });
    return button;
  }
}
