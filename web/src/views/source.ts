// Annotated source: what each line of a method's file took, of what the filter chooses and what is zoomed to. Follows the
// selected frame while it is in sight.
import { fileName, linesText, type SourceDocument } from '../data/sources';
import type { LineCost, SourceRow } from '../model/lines';
import { sourceRows } from '../model/lines';
import type { Model } from '../model/model';
import { byId, el } from '../ui/dom';
import { RowList } from '../ui/rows';
import { plural, range, typeAndMethod } from '../ui/text';

const ROW = 20;
const CHARACTER = 7.3; // px of the list's font
const TAB = 4;
const COLUMNS = 190; // px before the text

const widthOf = (text: string) => Array.from(text).reduce((at, c) => at + (c === '\t' ? TAB - (at % TAB) : 1), 0);

export class SourceView {
  private frame = -1;
  private document = -1;
  private rows: SourceRow[] = [];
  private hot: number[] = []; // rows with self, hottest first; where none has, by total
  private most = 0; // self of the hottest
  private stale = true;
  private readonly tab = byId('tab-source');
  private readonly content = byId('panel-source');
  private readonly area = byId('source-list');
  private readonly list: RowList;

  constructor(
    private readonly model: Model,
    private readonly panel: HTMLElement,
  ) {
    this.list = new RowList(this.area, ROW, (i) => this.row(this.rows[i]!), () => {});
    // Before the list has it: there a line is nothing to choose.
    this.area.addEventListener('keydown', (e) => this.key(e), { capture: true });
    byId('source-next').addEventListener('click', () => this.step(1));
    byId('source-previous').addEventListener('click', () => this.step(-1));
    this.tab.addEventListener('click', () => this.refresh());
    model.onChange((change) => {
      if (change === 'look') return;
      this.stale = true;
      this.refresh();
    });
  }

  get shown(): boolean {
    return !this.panel.hidden && !this.content.hidden;
  }

  // Of this frame, or of the selected one; the list begins at its hottest line.
  show(frame: number): void {
    if (frame < 0 || frame === this.frame) return;
    this.frame = frame;
    this.document = -1;
    this.stale = true;
    this.refresh();
  }

  // Does nothing while it is not in sight.
  refresh(): void {
    if (!this.shown) return;
    const { model } = this;
    if (model.selected > 0) {
      const selected = model.frameOf(model.selected);
      if (selected !== this.frame) this.document = -1;
      this.frame = selected;
    }
    if (!this.stale && this.document >= 0) return;
    this.stale = false;
    const document = this.frame < 0 ? -1 : model.lineCosts.documentOf(this.frame);
    const another = document !== this.document;
    this.document = document;
    this.head();
    const { documents } = model.report.sources;
    const costs = document < 0 ? new Map<number, LineCost>() : model.lineCosts.ofDocument(document);
    this.rows = document < 0 ? [] : sourceRows(documents[document]!.text, costs);
    this.most = Math.max(0, ...Array.from(costs.values(), (cost) => cost.mostSelf));
    this.hot = this.hottest();
    const unsure = [...costs.values()].some((cost) => cost.or.size > 0);
    byId('source-legend').replaceChildren(
      ...(unsure ? [el('i', { class: 'unsure' }, '?'), 'hatched: of one of several lines (optimized code)'] : []),
    );
    const longest = this.rows.reduce((most, { text }) => Math.max(most, text === null ? 0 : widthOf(text)), 0);
    this.list.show(this.rows.length, COLUMNS + longest * CHARACTER);
    if (another && this.hot.length > 0) this.list.moveTo(this.hottestOfMethod());
  }

  private key(e: KeyboardEvent): void {
    if (e.key !== 'Enter') return;
    this.step(e.shiftKey ? -1 : 1);
    e.preventDefault();
    e.stopPropagation();
  }

  // To the line that takes next less, or next more.
  private step(by: 1 | -1): void {
    if (this.hot.length === 0) return;
    const at = this.hot.indexOf(this.list.current);
    const next = at < 0 ? 0 : (at + by + this.hot.length) % this.hot.length;
    this.list.moveTo(this.hot[next]!);
  }

  private hottest(): number[] {
    const cost = (i: number) => this.rows[i]!.cost!;
    const withCost = this.rows.flatMap((row, i) => (row.cost ? [i] : []));
    const own = withCost.filter((i) => cost(i).mostSelf > 0);
    const bySelf = (a: number, b: number) => cost(b).self - cost(a).self || cost(b).mostSelf - cost(a).mostSelf || a - b;
    const byTotal = (a: number, b: number) => cost(b).total - cost(a).total || cost(b).mostTotal - cost(a).mostTotal || a - b;
    return own.length > 0 ? own.sort(bySelf) : withCost.sort(byTotal);
  }

  // Of the method's own lines.
  private hottestOfMethod(): number {
    const { model } = this;
    const { places } = model.report.sources;
    const lines = new Set<number>();
    for (const { place } of model.lineCosts.ofFrame(this.frame)) {
      if (places[place]!.document === this.document) places[place]!.lines.forEach((line) => lines.add(line));
    }
    const own = this.hot.find((i) => lines.has(this.rows[i]!.line));
    return own ?? this.rows.findIndex((row) => lines.has(row.line));
  }

  private isOfMethod(line: number): boolean {
    const { places } = this.model.report.sources;
    return this.model.lineCosts
      .ofFrame(this.frame)
      .some(({ place }) => places[place]!.document === this.document && places[place]!.first <= line && line <= places[place]!.last);
  }

  private head(): void {
    const { frames, sources } = this.model.report;
    const name = byId('source-name');
    const note = byId('source-note');
    const nothing = this.document < 0;
    for (const part of ['source-columns', 'source-steps', 'source-list']) byId(part).hidden = nothing;
    if (this.frame < 0) {
      name.replaceChildren();
      note.replaceChildren('Choose a function: in the graph, or in the list of functions.');
    } else {
      const method = el('b', { title: frames.name[this.frame]! }, typeAndMethod(frames.name[this.frame]!, frames.own[this.frame]));
      const document = sources.documents[this.document];
      name.replaceChildren(method, ...(document ? [el('span', { title: document.path }, fileName(document.path))] : []));
      note.replaceChildren(...(document ? this.notes(document) : ['No source line of this frame is known.']));
    }
    note.hidden = note.childNodes.length === 0;
  }

  // What is missing, why, and what to do about it.
  private notes(document: SourceDocument): (Node | string)[] {
    const has = document.text.size > 0;
    if (has && document.note === '') return [];
    const parts: (Node | string)[] = [];
    if (has) parts.push(`${document.note[0]!.toUpperCase()}${document.note.slice(1)}.`);
    else if (document.note !== '') parts.push(`The text is not here: ${document.note}.`);
    else
      parts.push(
        'The text is not in this page. ',
        el('code', {}, 'walkabout convert --source RECORDING.walk PAGE.html'),
        ' makes one that has it, of files on that machine and of texts in PDBs.',
      );
    if (!has && document.url !== '') parts.push(' It is from ', link(document.url), '.');
    return parts;
  }

  private row({ line, text, cost, leftOut }: SourceRow): HTMLElement {
    if (line === 0) {
      const gap = el('div', { role: 'option', class: 'code gap' }, el('span', { class: 'text' }, `⋯ ${plural(leftOut, 'line')} ⋯`));
      return gap;
    }
    const { shown } = this.model;
    const self = cost ? range(cost.self, cost.mostSelf, shown) : '';
    const total = cost ? range(cost.total, cost.mostTotal, shown) : '';
    const or = this.orText(cost);
    const row = el(
      'div',
      { role: 'option', class: 'code' },
      this.number(self, cost),
      el('span', { class: 'number' }, total),
      el('span', { class: 'line' }, or === '' ? '' : el('i', { class: 'unsure' }, '?'), String(line)),
      el('span', { class: 'text' }, text ?? ''),
    );
    row.classList.toggle('mine', this.isOfMethod(line));
    const costs = cost ? `line ${line}: self ${self || '0%'}, total ${total || '0%'}` : `line ${line}`;
    const unsure = or === '' ? '' : `, some of it is of one line of ${or}`;
    row.setAttribute('aria-label', `${costs}${unsure}. ${text ?? ''}`);
    row.title = cost ? `${costs}${unsure}${this.amounts(cost)}` : '';
    return row;
  }

  private amounts({ self, mostSelf, total, mostTotal }: LineCost): string {
    const text = (sure: number, most: number) =>
      most > sure ? `${this.model.amount(sure)} to ${this.model.amount(most)}` : this.model.amount(sure);
    return `\nself ${text(self, mostSelf)}\ntotal ${text(total, mostTotal)}`;
  }

  private orText(cost: LineCost | null): string {
    const { places } = this.model.report.sources;
    return cost ? [...cost.or].map((place) => linesText(places[place]!)).join('; ') : '';
  }

  // What is certain is full, what may be another line's is hatched.
  private number(text: string, cost: LineCost | null): HTMLElement {
    const number = el('span', { class: 'number' }, text);
    if (!cost || this.most === 0) return number;
    const bar = (kind: string, from: number, to: number) => {
      const part = el('span', { class: `cost ${kind}` });
      part.style.left = `${(100 * from) / this.most}%`;
      part.style.width = `${(100 * (to - from)) / this.most}%`;
      return part;
    };
    if (cost.self > 0) number.prepend(bar('sure', 0, cost.self));
    if (cost.mostSelf > cost.self) number.prepend(bar('perhaps', cost.self, cost.mostSelf));
    return number;
  }
}

// Followed only by who clicks it.
function link(url: string): Node {
  if (!/^https?:\/\//.test(url)) return el('code', {}, url);
  return el('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, url);
}
