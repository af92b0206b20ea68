// A long list of equally high rows of which only those in sight exist, with one that arrow keys move.
import { onceAFrame } from './dom';

export class RowList {
  current = 0;
  private count = 0;
  private readonly requestDraw = onceAFrame(() => this.draw());
  private readonly space = document.createElement('div');

  constructor(
    private readonly area: HTMLElement,
    private readonly height: number,
    private readonly make: (index: number) => HTMLElement,
    private readonly act: (index: number) => void,
  ) {
    this.space.className = 'space';
    area.append(this.space);
    area.addEventListener('scroll', this.requestDraw);
    area.addEventListener('keydown', (e) => this.key(e));
    new ResizeObserver(this.requestDraw).observe(area);
  }

  // width: px that the widest row needs; 0: a row is as wide as the list.
  show(count: number, width = 0): void {
    this.count = count;
    this.space.style.minWidth = width > 0 ? `${width}px` : '';
    this.current = Math.min(this.current, Math.max(0, count - 1));
    this.space.style.height = `${count * this.height}px`;
    this.requestDraw();
  }

  // Makes this the current one, in the middle of what is in sight.
  moveTo(index: number): void {
    this.current = Math.min(Math.max(index, 0), Math.max(0, this.count - 1));
    this.area.scrollTop = (this.current + 0.5) * this.height - this.area.clientHeight / 2;
    this.requestDraw();
  }

  private key(e: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.area.clientHeight / this.height) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    steps.Home = -this.count;
    steps.End = this.count;
    const by = steps[e.key];
    if (by !== undefined) {
      this.current = Math.min(Math.max(this.current + by, 0), Math.max(0, this.count - 1));
      this.intoSight();
      this.requestDraw();
    } else if ((e.key === 'Enter' || e.key === ' ') && this.count > 0 && e.target === this.area) {
      this.act(this.current);
    } else {
      return;
    }
    e.preventDefault();
    e.stopPropagation();
  }

  private intoSight(): void {
    const top = this.current * this.height;
    if (top < this.area.scrollTop) this.area.scrollTop = top;
    const low = top + this.height - this.area.clientHeight;
    if (low > this.area.scrollTop) this.area.scrollTop = low;
  }

  private draw(): void {
    const first = Math.max(0, Math.floor(this.area.scrollTop / this.height) - 4);
    const last = Math.min(this.count, first + Math.ceil(this.area.clientHeight / this.height) + 8);
    const rows: HTMLElement[] = [];
    for (let i = first; i < last; i++) {
      const row = this.make(i);
      row.id = `${this.area.id}-${i}`;
      row.classList.add('row');
      row.style.top = `${i * this.height}px`;
      row.style.height = `${this.height}px`;
      row.classList.toggle('current', i === this.current);
      row.setAttribute('aria-posinset', String(i + 1));
      row.setAttribute('aria-setsize', String(this.count));
      row.addEventListener('click', () => {
        this.current = i;
        this.act(i);
      });
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
    this.area.setAttribute('aria-activedescendant', this.count > 0 ? `${this.area.id}-${this.current}` : '');
  }
}
