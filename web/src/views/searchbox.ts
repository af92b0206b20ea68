// The search field: text or regular expression, the share of what matches, steps from match to match.
import { byId } from '../ui/dom';
import type { Graph } from './graph';
import type { Model } from '../model/model';
import { count, percent } from '../ui/text';

const TYPING_MS = 120;
const TOO_THIN = 4; // px: zoom to the caller so that the match can be seen

export class SearchBox {
  private readonly input = byId<HTMLInputElement>('search-text');
  private readonly regex = byId<HTMLButtonElement>('search-regex');
  private readonly result = byId('search-result');
  private at = -1;
  private timer = 0;

  constructor(
    private readonly model: Model,
    private readonly graph: Graph,
  ) {
    this.input.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.run(), TYPING_MS);
    });
    this.input.addEventListener('keydown', (e) => this.key(e));
    this.regex.addEventListener('click', () => {
      this.regex.setAttribute('aria-pressed', String(!this.isRegex));
      this.run();
    });
    byId('search-next').addEventListener('click', () => this.step(1));
    byId('search-previous').addEventListener('click', () => this.step(-1));
    model.onChange((change) => {
      if (change !== 'look') this.show();
    });
    this.show();
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  // False when there was nothing to clear.
  clear(): boolean {
    if (this.input.value === '' && !this.model.matches) return false;
    this.input.value = '';
    this.run();
    return true;
  }

  // Shows a name without searching again: somebody else chose what matches.
  label(text: string): void {
    clearTimeout(this.timer);
    this.input.value = text;
    this.at = 0;
    this.show();
  }

  step(by: 1 | -1): void {
    const boxes = this.model.matches?.boxes ?? [];
    if (boxes.length === 0) return;
    this.at = this.at < 0 ? (by > 0 ? 0 : boxes.length - 1) : (this.at + by + boxes.length) % boxes.length;
    const box = boxes[this.at]!;
    this.model.select(box);
    if (this.graph.place(box).width < TOO_THIN) {
      const node = this.model.boxes.node[box]!;
      this.model.zoomTo(this.model.boxes.parent[box]!);
      this.at = this.model.matches!.boxes.indexOf(this.model.boxes.boxOf[node]!);
    }
    this.graph.showSelected();
    this.show();
  }

  private get isRegex(): boolean {
    return this.regex.getAttribute('aria-pressed') === 'true';
  }

  private run(): void {
    clearTimeout(this.timer);
    this.at = -1;
    this.model.search({ text: this.input.value, regex: this.isRegex });
  }

  private key(e: KeyboardEvent): void {
    if (e.key === 'Enter') {
      if (this.at < 0) this.run();
      this.step(e.shiftKey ? -1 : 1);
      e.preventDefault();
    } else if (e.key === 'Escape') {
      if (!this.clear()) byId('graph-canvas').focus();
      e.preventDefault();
    } else if (e.key === 'ArrowDown') {
      byId('graph-canvas').focus();
      e.preventDefault();
    } else {
      return;
    }
    e.stopPropagation();
  }

  private show(): void {
    const { matches, searchError, boxes, zoom } = this.model;
    this.input.setAttribute('aria-invalid', String(searchError !== ''));
    byId('search-steps').hidden = !matches || matches.boxes.length === 0;
    if (!matches) {
      this.result.textContent = searchError;
      return;
    }
    const whole = boxes.total[zoom]!;
    const found = matches.boxes.length;
    if (this.at >= found) this.at = -1;
    const place = this.at < 0 ? count(found) : `${count(this.at + 1)}/${count(found)}`;
    this.result.textContent =
      found === 0 ? (matches.inRuns ? 'only in folded frames' : 'no match') : `${percent(matches.weight, whole)} · ${this.model.amount(matches.weight)} · ${place}`;
  }
}
