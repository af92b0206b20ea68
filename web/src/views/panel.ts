// The side panel with its tabs, which can be closed.
import { byId } from '../ui/dom';
import { wireGrip } from '../ui/grip';

const TABS = ['functions', 'source', 'threads', 'blocked', 'kinds', 'moment'] as const;
type Tab = (typeof TABS)[number];
const NARROW = 860; // px: below this the panel covers the graph, so it starts closed

export class Panel {
  private readonly panel = byId('panel');
  private readonly grip = byId('panel-grip');
  private readonly toggleButton = byId('panel-toggle');

  constructor(private readonly shown: () => void) {
    for (const tab of TABS) {
      byId(`tab-${tab}`).addEventListener('click', () => this.open(tab));
      byId(`tab-${tab}`).addEventListener('keydown', (e) => this.key(e, tab));
    }
    this.toggleButton.addEventListener('click', () => this.toggle());
    wireGrip(this.grip, this.panel, '--panel-width', 'walkabout.panel', () => this.shown());
    this.open('functions');
    if (innerWidth < NARROW) this.toggle();
  }

  toggle(): void {
    this.panel.hidden = !this.panel.hidden;
    this.grip.hidden = this.panel.hidden;
    this.toggleButton.setAttribute('aria-expanded', String(!this.panel.hidden));
    this.shown();
  }

  // A tab that has nothing to show is not there.
  offer(tab: Tab, offered: boolean): void {
    const button = byId(`tab-${tab}`);
    button.hidden = !offered;
    if (!offered && button.getAttribute('aria-selected') === 'true') this.open('functions');
  }

  isOpen(tab: Tab): boolean {
    return !this.panel.hidden && !byId(`panel-${tab}`).hidden;
  }

  // Opens a tab that somebody asked for, and the panel with it.
  reveal(tab: Tab, title?: string): void {
    if (title) byId(`tab-${tab}`).textContent = title;
    if (this.panel.hidden) this.toggle();
    this.offer(tab, true);
    this.open(tab);
  }

  private open(tab: Tab): void {
    for (const other of TABS) {
      const chosen = other === tab;
      byId(`tab-${other}`).setAttribute('aria-selected', String(chosen));
      byId(`tab-${other}`).tabIndex = chosen ? 0 : -1;
      byId(`panel-${other}`).hidden = !chosen;
    }
    this.panel.classList.toggle('wide', tab === 'source'); // code needs room
    this.shown();
  }

  private key(e: KeyboardEvent, tab: Tab): void {
    if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
    const offered = TABS.filter((other) => !byId(`tab-${other}`).hidden);
    const step = e.key === 'ArrowLeft' ? offered.length - 1 : 1;
    const other = offered[(offered.indexOf(tab) + step) % offered.length]!;
    this.open(other);
    byId(`tab-${other}`).focus();
    e.preventDefault();
    e.stopPropagation();
  }
}
