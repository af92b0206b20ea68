// Keys of the page. Arrows move through boxes the way they are drawn: "up" is towards the leaves in a flame graph and
// towards the root in an icicle.
import { FOLD_ASYNC, FOLD_OTHERS } from '../model/folding';
import { neighbour } from '../model/layout';
import type { Model } from '../model/model';

export interface Commands {
  selected(): void; // the selection moved by key
  focusSearch(): void;
  clearSearch(): boolean;
  nextMatch(by: 1 | -1): void;
  clearRange(): boolean;
  toggleTheme(): void;
  toggleHelp(): void;
  togglePanel(): void;
  nextEvent(): void;
  nextView(): void;
  copyName(): void;
  showSource(): void;
  scroll(pages: number): void;
}

// The box one step from `box` within what is zoomed to, or `box` itself at an edge.
export function stepFrom(model: Model, box: number, key: string): number {
  const { boxes, zoom } = model;
  const toRoot = model.icicle ? 'ArrowUp' : 'ArrowDown';
  if (key === toRoot) return boxes.parent[box]!;
  if (key === 'ArrowUp' || key === 'ArrowDown') return boxes.childCount[box]! > 0 ? boxes.firstChild[box]! : box;
  const within = boxes.depth[box]! < boxes.depth[zoom]! ? 0 : zoom;
  const next = neighbour(boxes, box, key === 'ArrowLeft' ? -1 : 1, within);
  return next < 0 ? box : next;
}

export class Keyboard {
  // model: what the keys are for now.
  constructor(
    private readonly current: () => Model,
    private readonly commands: Commands,
  ) {
    document.addEventListener('keydown', (e) => this.key(e));
  }

  private get model(): Model {
    return this.current();
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey || this.elsewhere(e)) return;
    if (this.handle(e.key)) e.preventDefault();
  }

  // Typing in a field, a button's own keys and an open dialog are not ours.
  private elsewhere(e: KeyboardEvent): boolean {
    const target = e.target as HTMLElement;
    if (target.closest('input, dialog[open]')) return true;
    return target.closest('button, summary, [role=tab]') !== null && ['Enter', ' '].includes(e.key);
  }

  private handle(key: string): boolean {
    const { model, commands } = this;
    if (key.startsWith('Arrow')) return this.move(key);
    const actions: Record<string, () => unknown> = {
      Enter: () => model.selected >= 0 && model.zoomTo(model.selected),
      ' ': () => model.selected >= 0 && model.zoomTo(model.selected),
      Escape: () => this.out(),
      Backspace: () => model.zoomOut(),
      Home: () => this.select(model.zoom),
      PageUp: () => commands.scroll(-0.9),
      PageDown: () => commands.scroll(0.9),
      '/': () => commands.focusSearch(),
      n: () => commands.nextMatch(1),
      N: () => commands.nextMatch(-1),
      i: () => model.setIcicle(!model.icicle),
      e: () => commands.nextEvent(),
      v: () => commands.nextView(),
      m: () => model.toggleFolding(FOLD_OTHERS),
      a: () => model.toggleFolding(FOLD_ASYNC),
      c: () => commands.copyName(),
      s: () => commands.showSource(),
      d: () => commands.toggleTheme(),
      t: () => commands.togglePanel(),
      '?': () => commands.toggleHelp(),
    };
    if (!Object.hasOwn(actions, key)) return false;
    actions[key]!();
    return true;
  }

  private move(key: string): boolean {
    const { model } = this;
    if (model.total <= 0) return false;
    this.select(model.selected < 0 ? model.zoom : stepFrom(model, model.selected, key));
    return true;
  }

  private select(box: number): void {
    this.model.select(box);
    this.commands.selected();
  }

  // One step back: out of the zoom, then the search, then the time range, then the selection.
  private out(): void {
    if (this.model.zoomOut() || this.commands.clearSearch() || this.commands.clearRange()) return;
    this.model.select(-1);
    this.commands.selected();
  }
}
