// The way from the root to what is zoomed to; each step zooms there.
import { el } from '../ui/dom';
import { pathTo } from '../model/layout';
import type { Model } from '../model/model';
import { percent, typeAndMethod } from '../ui/text';

const ENDS = 3; // steps shown at each end of a long way
const FOLD_FROM = 9;

export class Breadcrumb {
  private unfolded = false;
  private shownZoom = -1;

  constructor(
    private readonly model: Model,
    private readonly bar: HTMLElement,
  ) {
    model.onChange((change) => change !== 'look' && this.show());
    this.show();
  }

  private show(): void {
    if (this.shownZoom !== this.model.zoom) this.unfolded = false;
    this.shownZoom = this.model.zoom;
    const path = pathTo(this.model.boxes, this.model.zoom);
    const folded = !this.unfolded && path.length > FOLD_FROM;
    const steps: HTMLElement[] = [];
    path.forEach((box, i) => {
      if (!folded || i < ENDS || i >= path.length - ENDS) steps.push(this.step(box, i === path.length - 1));
      else if (i === ENDS) steps.push(this.fold(path.length - 2 * ENDS));
    });
    this.bar.replaceChildren(...steps);
    this.bar.scrollLeft = this.bar.scrollWidth;
  }

  private step(box: number, last: boolean): HTMLElement {
    const name = this.model.nameOf(box);
    const button = el('button', { type: 'button', title: name }, typeAndMethod(name, this.model.report.frames.own[this.model.frameOf(box)]));
    if (last) {
      button.setAttribute('aria-current', 'location');
      const share = `${percent(this.model.boxes.total[box]!, this.model.total)} · ${this.model.amount(this.model.boxes.total[box]!)}`;
      return el('li', {}, button, el('span', { class: 'quiet' }, share));
    }
    button.addEventListener('click', () => this.model.zoomTo(box));
    return el('li', {}, button);
  }

  private fold(hidden: number): HTMLElement {
    const button = el('button', { type: 'button', title: 'Show them all' }, `… ${hidden} frames …`);
    button.addEventListener('click', () => {
      this.unfolded = true;
      this.show();
    });
    return el('li', {}, button);
  }
}
