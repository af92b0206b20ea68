// Two models side by side: what is chosen in one is chosen in the other. Each keeps its event, and its selection.
import type { Change, Model } from './model';

const zoomedTo = (model: Model) => model.boxes.node[model.zoom]!;

export class Pair {
  private together = false;
  private passing = false; // a change is on its way to the other
  private readonly zoomed = new Map<Model, number>(); // the node each was zoomed to when that was last passed on

  constructor(
    readonly first: Model,
    readonly second: Model,
  ) {
    first.onChange((change) => this.changed(change, first, second));
    second.onChange((change) => this.changed(change, second, first));
  }

  get isTogether(): boolean {
    return this.together;
  }

  // While they are not, the second one is left as it is.
  setTogether(together: boolean): void {
    this.together = together;
    this.zoomed.clear();
    if (!together) return;
    this.changed('data', this.first, this.second);
    this.changed('look', this.first, this.second);
  }

  private changed(change: Change, from: Model, to: Model): void {
    if (!this.together || this.passing) return;
    this.passing = true;
    try {
      if (change === 'data') this.passFilter(from, to);
      if (change === 'look' && to.icicle !== from.icicle) to.setIcicle(from.icicle);
      if (change !== 'look') this.passView(from, to);
    } finally {
      this.passing = false;
    }
  }

  // A system call, a wait or a kind is chosen in one event: the other need not have it.
  private passFilter(from: Model, to: Model): void {
    if (to.hiddenKinds !== from.hiddenKinds || to.folding !== from.folding) to.setVisible(from.hiddenKinds, from.folding);
    const { threads, call: _call, wait: _wait, label: _label, kind: _kind, ...rest } = from.filter;
    const same =
      threads.every((chosen, i) => chosen === to.filter.threads[i]) &&
      (Object.keys(rest) as (keyof typeof rest)[]).every((key) => rest[key] === to.filter[key]);
    if (!same) to.setFilter({ ...rest, threads: threads.slice() });
  }

  private passView(from: Model, to: Model): void {
    if (to.query !== from.query) to.search(from.query);
    if (to.focusedFrame !== from.focusedFrame && from.focusedFrame >= 0) to.focusFrame(from.focusedFrame);
    // What is zoomed to in one may have no weight in the other, which then stays at a caller of it.
    const node = zoomedTo(from);
    if (node !== this.zoomed.get(from)) to.zoomToNode(node);
    for (const model of [from, to]) this.zoomed.set(model, zoomedTo(model));
  }
}
