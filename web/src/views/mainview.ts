// What fills the middle of the page, where calls were traced: their tree, the table of methods, or slow calls over time.
import { byId, el } from '../ui/dom';

export const VIEWS = ['graph', 'methods', 'timeline'] as const;
export type View = (typeof VIEWS)[number];
const TITLES: Record<View, string> = { graph: 'Call tree', methods: 'Methods', timeline: 'Timeline' };
const PARTS: Record<View, string[]> = {
  graph: ['graph'],
  methods: ['methods'],
  timeline: ['timeline', 'timeline-hint'],
};

export class MainView {
  current: View = 'graph';
  private readonly offered: View[];
  private readonly buttons = new Map<View, HTMLButtonElement>();

  constructor(
    offered: View[],
    private readonly shown: (view: View) => void,
  ) {
    const group = byId('view');
    this.offered = offered;
    group.hidden = offered.length < 2;
    for (const view of offered) {
      const button = el('button', { type: 'button', title: 'What is shown (v)' }, TITLES[view]);
      button.addEventListener('click', () => this.show(view));
      this.buttons.set(view, button);
      group.append(button);
    }
    this.apply();
  }

  next(): void {
    const at = this.offered.indexOf(this.current);
    if (this.offered.length > 1) this.show(this.offered[(at + 1) % this.offered.length]!);
  }

  show(view: View): void {
    if (!this.offered.includes(view)) return;
    this.current = view;
    this.apply();
    this.shown(view);
  }

  private apply(): void {
    for (const [view, button] of this.buttons) button.setAttribute('aria-pressed', String(view === this.current));
    for (const view of VIEWS) for (const part of PARTS[view]) byId(part).hidden = view !== this.current;
    document.body.dataset.view = this.current;
  }
}
