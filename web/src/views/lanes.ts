// The runtime's events over the time strip, a lane for each kind: intervals where they last, marks where they do not. A
// click, or the keyboard, picks one, which the panel shows with its stack. Time that is not chosen is dimmed.
import { begin, momentAt, neighbour, nextLane, type Lane, type Moments } from '../data/moments';
import { el, fitCanvas, onceAFrame } from '../ui/dom';
import type { Model } from '../model/model';
import type { Theme } from '../ui/theme';
import { plural, time } from '../ui/text';

const HEIGHT = 13; // px of a lane
const NARROWEST = 2; // px
const NEAR = 3; // px: as close is a hit

const KEYS = 'Arrow keys move from event to event, up and down from kind to kind.';

// How a lane is painted: its hue tells it from its neighbours.
const HUES: Record<string, number> = { gc: 6, jit: 275, loads: 42, exceptions: 340, locks: 212, waits: 190, threads: 150, 'slow calls': 248 };

export function laneTitle(lane: Lane): string {
  const parts = [plural(lane.shown, 'event')];
  if (lane.leftOut > 0) parts.push(`${plural(lane.leftOut, 'shorter or further one', 'shorter or further ones')} not shown`);
  if (lane.sums > 0) parts.push(`${plural(lane.sums, 'sum')} of events whose time is not known`);
  return `${lane.name}: ${parts.join(', ')}`;
}

export class Lanes {
  private readonly canvas = el('canvas', {
    tabindex: '0',
    role: 'application',
    'aria-roledescription': 'events over time',
  });
  private readonly names: HTMLElement;
  private readonly requestDraw = onceAFrame(() => this.draw());
  private readonly moments: Moments;
  private picked = -1;

  constructor(
    private readonly model: Model,
    private readonly theme: Theme,
    private readonly box: HTMLElement,
    private readonly hint: HTMLElement,
    private readonly show: (moment: number) => void,
  ) {
    this.moments = model.report.moments;
    const { lanes } = this.moments;
    this.names = el('div', { class: 'names', 'aria-hidden': 'true' });
    const there = lanes.map(laneTitle).join('. ');
    this.canvas.setAttribute('aria-label', `Events of the runtime over time. ${there}. ${KEYS}`);
    box.hidden = lanes.length === 0;
    if (box.hidden) return;
    for (const lane of lanes) {
      const incomplete = lane.leftOut > 0 || lane.sums > 0;
      this.names.append(el('div', { title: laneTitle(lane) }, incomplete ? `${lane.name} +` : lane.name));
    }
    box.style.height = `${lanes.length * HEIGHT + 4}px`;
    box.append(this.canvas, this.names);
    // Of the box: names say what their lane lacks, and are over events that can be picked.
    box.addEventListener('click', (e) => {
      this.canvas.focus({ preventScroll: true });
      this.pick(this.at(e));
    });
    box.addEventListener('pointermove', (e) => this.point(e));
    box.addEventListener('pointerleave', () => this.explain(-1));
    this.canvas.addEventListener('keydown', (e) => this.key(e));
    model.onChange((change) => change !== 'view' && this.requestDraw());
    new ResizeObserver(() => this.requestDraw()).observe(box);
    this.requestDraw();
  }

  private get width(): number {
    return Math.max(1, this.box.clientWidth);
  }

  private get span(): number {
    const { buckets, bucket_us } = this.model.report.meta;
    return Math.max(1, buckets * bucket_us);
  }

  private at(e: MouseEvent): number {
    const { left, top } = this.canvas.getBoundingClientRect();
    const lane = Math.floor((e.clientY - top - 2) / HEIGHT);
    const us = ((e.clientX - left) / this.width) * this.span;
    const near = (NEAR / this.width) * this.span;
    return momentAt(this.moments, lane, us - near, us + near);
  }

  private pick(moment: number): void {
    if (moment < 0 || moment >= this.moments.end.length) return;
    this.picked = moment;
    this.requestDraw();
    this.explain(moment);
    this.show(moment);
  }

  private point(e: PointerEvent): void {
    const moment = this.at(e);
    this.box.style.cursor = moment < 0 ? '' : 'pointer';
    this.explain(moment);
  }

  // One line over the lanes: what is under the pointer.
  private explain(moment: number): void {
    this.hint.textContent = moment < 0 ? '' : momentText(this.moments, moment);
  }

  private key(e: KeyboardEvent): void {
    const { lane } = this.moments;
    const here = this.picked < 0 ? -1 : lane[this.picked]!;
    const steps: Record<string, () => number> = {
      ArrowRight: () => (here < 0 ? 0 : neighbour(this.moments, this.picked, 1)),
      ArrowLeft: () => (here < 0 ? 0 : neighbour(this.moments, this.picked, -1)),
      ArrowDown: () => nextLane(this.moments, here, 1),
      ArrowUp: () => nextLane(this.moments, here, -1),
    };
    const step = steps[e.key];
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    this.pick(step());
  }

  private draw(): void {
    const { lanes, end, took, lane } = this.moments;
    const { width } = this;
    const scale = width / this.span;
    const context = fitCanvas(this.canvas, width, lanes.length * HEIGHT + 4);
    const { palette, dark } = this.theme;
    lanes.forEach((_, i) => {
      context.fillStyle = palette.faint;
      context.fillRect(0, 2 + (i + 1) * HEIGHT - 2, width, 1);
    });
    const colours = lanes.map(({ name }, i) => `hsl(${HUES[name] ?? i * 50} ${dark ? '48% 58%' : '52% 48%'})`);
    for (let i = 0; i < end.length; i++) {
      const x = (end[i]! - took[i]!) * scale;
      const wide = Math.max(NARROWEST, took[i]! * scale);
      context.fillStyle = colours[lane[i]!]!;
      context.fillRect(Math.min(x, width - NARROWEST), 3 + lane[i]! * HEIGHT, wide, HEIGHT - 5);
    }
    this.dim(context, lanes.length * HEIGHT + 4);
    if (this.picked < 0) return;
    const x = (end[this.picked]! - took[this.picked]!) * scale;
    context.strokeStyle = palette.select;
    context.lineWidth = 1.5;
    context.strokeRect(x - 1, 2 + lane[this.picked]! * HEIGHT, Math.max(NARROWEST, took[this.picked]! * scale) + 2, HEIGHT - 3);
  }

  private dim(context: CanvasRenderingContext2D, height: number): void {
    const { from, to } = this.model.filter;
    const { buckets } = this.model.report.meta;
    context.save();
    context.globalCompositeOperation = 'destination-out';
    context.fillStyle = 'rgb(0 0 0 / 0.72)';
    context.fillRect(0, 0, (from / buckets) * this.width, height);
    context.fillRect((to / buckets) * this.width, 0, this.width, height);
    context.restore();
  }
}

// "gc, 4.2 ms, at 1.20 s: generation 2, induced".
export function momentText(moments: Moments, i: number): string {
  const lane = moments.lanes[moments.lane[i]!]!;
  const took = moments.took[i]! > 0 ? `, ${time(moments.took[i]!)}` : '';
  const labels = (moments.sets[moments.set[i]!] ?? []).filter((text) => text !== '' && text !== '0');
  return `${lane.name}${took}, at ${time(begin(moments, i))}${labels.length > 0 ? `: ${labels.join(', ')}` : ''}`;
}
