// All traced methods with their figures, of the whole recording: a table that each column sorts. A click shows where in
// the call tree the method is called.
import { type Figure, type Trace, type TracedMethod } from '../data/trace';
import { byId, el } from '../ui/dom';
import type { Model } from '../model/model';
import { amount, count, fine } from '../ui/text';
import { nameElement } from '../ui/name';
import { RowList } from '../ui/rows';

const ROW = 26;
const NUMBER = 82; // px of a column
const NAME = 260; // px that the name has at least

interface Column {
  figure: Figure | 'name';
  title: string;
  help: string;
  text: (method: TracedMethod) => string;
}

const timed = (figure: Figure) => (method: TracedMethod) => {
  const value = method.figures[figure];
  return value < 0 || !method.timed || method.figures.calls === 0 ? '–' : fine(value);
};

const COLUMNS: Column[] = [
  { figure: 'name', title: 'Method', help: '', text: (m) => m.name },
  { figure: 'calls', title: 'Calls', help: 'calls that ended', text: (m) => count(m.figures.calls) },
  { figure: 'total', title: 'Total', help: 'in it and in traced methods that it called; recursion counts once', text: timed('total') },
  { figure: 'self', title: 'Self', help: 'outside of traced methods that it called', text: timed('self') },
  { figure: 'cpu', title: 'CPU', help: 'of the total, on a processor', text: timed('cpu') },
  { figure: 'waiting', title: 'Waiting', help: 'of async methods, while they did not run', text: timed('waiting') },
  { figure: 'least', title: 'Min', help: 'the shortest call, from begin to end', text: timed('least') },
  { figure: 'median', title: 'Median', help: 'half of the calls were shorter', text: timed('median') },
  { figure: 'p99', title: 'p99', help: '99% of the calls were shorter', text: timed('p99') },
  { figure: 'most', title: 'Max', help: 'the longest call', text: timed('most') },
  { figure: 'exceptions', title: 'Thrown', help: 'calls that ended by an exception', text: (m) => count(m.figures.exceptions) },
  { figure: 'allocated', title: 'Allocated', help: 'by samples, in its own code', text: (m) => amount(m.figures.allocated, 'bytes') },
];

// A column of nothing is not there.
const ALWAYS: readonly Column['figure'][] = ['name', 'calls', 'total', 'self', 'least', 'median', 'p99', 'most'];

export class MethodTable {
  private readonly columns: Column[];
  private rows: TracedMethod[] = [];
  private sortedBy: Column['figure'] = 'self';
  private ascending = false;
  private readonly list: RowList;
  private readonly headings = new Map<Column['figure'], HTMLElement>();

  constructor(
    private readonly model: Model,
    private readonly trace: Trace,
    private readonly focused: (frame: number) => void,
  ) {
    this.columns = COLUMNS.filter(({ figure }) => ALWAYS.includes(figure) || trace.methods.some((m) => m.figures[figure as Figure] > 0));
    const width = NAME + (this.columns.length - 1) * NUMBER;
    byId('methods-inner').style.minWidth = `${width}px`;
    for (const column of this.columns) {
      const heading = el('button', { type: 'button', title: column.help }, column.title);
      heading.addEventListener('click', () => this.sort(column.figure));
      this.headings.set(column.figure, heading);
      byId('methods-headings').append(heading);
    }
    this.list = new RowList(byId('methods-list'), ROW, (i) => this.row(this.rows[i]!), (i) => this.focus(this.rows[i]!));
    model.onChange((change) => change === 'view' && this.refresh());
    this.refresh();
  }

  get nameInView(): string {
    return this.rows[this.list.current]?.name ?? '';
  }

  // Those that the search finds, in order.
  refresh(): void {
    const wanted = this.model.focusedFrame < 0 ? (this.model.matches?.frames ?? null) : null;
    const { sortedBy, ascending } = this;
    const value = (m: TracedMethod) => m.figures[sortedBy as Figure];
    const order = (a: TracedMethod, b: TracedMethod) =>
      (sortedBy === 'name' ? a.name.localeCompare(b.name) : value(a) - value(b)) || a.figures.calls - b.figures.calls;
    this.rows = this.trace.methods
      .filter((m) => !wanted || (m.frame >= 0 && wanted[m.frame]))
      .sort((a, b) => (ascending ? order(a, b) : order(b, a)));
    for (const [figure, heading] of this.headings) {
      heading.dataset.sort = figure === sortedBy ? (ascending ? 'ascending' : 'descending') : 'none';
      heading.setAttribute('aria-pressed', String(figure === sortedBy));
    }
    this.list.show(this.rows.length);
  }

  private sort(figure: Column['figure']): void {
    this.ascending = figure === this.sortedBy ? !this.ascending : figure === 'name';
    this.sortedBy = figure;
    this.refresh();
  }

  private focus(method: TracedMethod): void {
    if (method.frame >= 0) this.focused(method.frame);
  }

  private row(method: TracedMethod): HTMLElement {
    const own = method.frame < 0 ? 0 : this.model.report.frames.own[method.frame];
    const label = el('span', { class: 'label' }, nameElement(method.name, own));
    const cells = this.columns.slice(1).map((column) => {
      const text = column.text(method);
      return el('span', { class: `cell${text === '–' || text === '0' ? ' quiet' : ''}` }, text);
    });
    const notes = [method.name, method.module];
    if (!method.timed) notes.push('called so often that from some time on its calls were only counted');
    if (method.problem !== '') notes.push(`not traced: ${method.problem}`);
    const bar = el('span', { class: 'bar managed' });
    const most = this.rows[0]?.figures.self ?? 0;
    bar.style.width = `${this.sortedBy === 'self' && !this.ascending && most > 0 ? (100 * method.figures.self) / most : 0}%`;
    return el('div', { role: 'option', title: notes.join('\n') }, bar, label, ...cells);
  }
}
