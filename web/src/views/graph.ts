// The flame graph: a canvas that stays in place inside a scrolled area as tall as the picture. Mouse, zoom animation,
// scrolling to what is selected.
import { shadesOf } from '../model/colours';
import { fitCanvas, onceAFrame } from '../ui/dom';
import { Labels } from '../ui/labels';
import { boxAt } from '../model/layout';
import type { Model } from '../model/model';
import { depthAt, FONT_SIZE, PADDING, Painter, ROW, rowTop, type Viewport } from './render';
import type { Theme } from '../ui/theme';
import { describe, type Tooltip } from './tooltip';

const ZOOM_MS = 160;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class Graph {
  lastFrameMs = 0;
  lastDrawn = 0;
  readonly view: Viewport = { x0: 0, x1: 1, width: 1, height: 1, top: 0, rows: 1 };
  private hover = -1;
  private pointed = false; // the tooltip is of what is under the pointer
  private readonly labels: Labels;
  private readonly shade: Uint8Array;
  private readonly measuring = document.createElement('canvas').getContext('2d')!;
  private readonly requestDraw: () => void;
  private animation = 0;
  private shownZoom = -1;

  constructor(
    private readonly model: Model,
    private readonly theme: Theme,
    private readonly area: HTMLElement,
    private readonly space: HTMLElement,
    private readonly canvas: HTMLCanvasElement,
    private readonly tooltip: Tooltip,
  ) {
    this.measuring.font = `${FONT_SIZE}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
    this.labels = new Labels(model.report.frames.name, (text) => this.measuring.measureText(text).width, model.report.frames.own);
    this.shade = shadesOf(model.report.frames.name);
    this.requestDraw = onceAFrame(() => this.draw());
    model.onChange((change) => this.changed(change));
    area.addEventListener('scroll', () => this.scrolled());
    canvas.addEventListener('pointermove', (e) => this.point(e.offsetX, e.offsetY, e.clientX, e.clientY));
    canvas.addEventListener('pointerleave', () => this.leave());
    canvas.addEventListener('click', (e) => this.click(e.offsetX, e.offsetY));
    canvas.addEventListener('blur', () => this.tooltip.hide());
    new ResizeObserver(() => this.resized()).observe(area);
    this.resized();
    this.settle();
    this.toRoot();
  }

  // Where a box is on the canvas, in CSS pixels.
  place(box: number): { x: number; y: number; width: number; height: number } {
    const scale = this.view.width / (this.view.x1 - this.view.x0);
    const left = Math.max(0, (this.model.boxes.start[box]! - this.view.x0) * scale);
    const end = (this.model.boxes.start[box]! + this.model.boxes.total[box]! - this.view.x0) * scale;
    const y = rowTop(this.view, this.model.icicle, this.model.boxes.depth[box]!);
    return { x: left, y, width: Math.min(end, this.view.width) - left, height: ROW - 1 };
  }

  // Of the box under the pointer, else of the selected one; empty: there is none.
  get nameInView(): string {
    const box = this.boxInView;
    return box > 0 ? this.model.nameOf(box) : '';
  }

  get boxInView(): number {
    return this.hover >= 0 && this.pointed ? this.hover : this.model.selected;
  }

  // Shows the selected box with its numbers, as the mouse would.
  showSelected(): void {
    const box = this.model.selected;
    if (box < 0) return;
    this.reveal(box);
    const { x, y, width } = this.place(box);
    const area = this.canvas.getBoundingClientRect();
    const middle = Math.min(Math.max(x + Math.min(width / 2, 40), 0), this.view.width);
    this.tooltip.show(describe(this.model, box), area.left + middle, area.top + y + ROW);
    this.pointed = false;
  }

  private reveal(box: number): void {
    const y = rowTop(this.view, this.model.icicle, this.model.boxes.depth[box]!);
    if (y < ROW) this.area.scrollTop += y - 3 * ROW;
    else if (y > this.view.height - 2 * ROW) this.area.scrollTop += y - this.view.height + 4 * ROW;
    this.view.top = this.area.scrollTop;
    this.requestDraw();
  }

  private changed(change: string): void {
    this.hover = -1;
    this.tooltip.hide(); // what it tells of is no longer there, or no longer so
    if (change === 'look') this.turned();
    else if (change === 'data' || this.shownZoom !== this.model.zoom) this.move(change !== 'data');
    this.requestDraw();
  }

  private turned(): void {
    this.settle();
    this.toRoot();
  }

  // To the target of the zoom: at once, or in a few frames that only redraw.
  private move(animated: boolean): void {
    cancelAnimationFrame(this.animation);
    const { x0, x1 } = this.view;
    const zoomed = this.shownZoom !== this.model.zoom;
    this.settle();
    if (zoomed) this.reveal(this.model.zoom);
    if (!animated || calm.matches) return;
    const target = { x0: this.view.x0, x1: this.view.x1 };
    const begin = performance.now();
    const step = (now: number) => {
      const t = Math.min(1, Math.max(0, (now - begin) / ZOOM_MS));
      const eased = 1 - (1 - t) ** 3;
      this.view.x0 = x0 + (target.x0 - x0) * eased;
      this.view.x1 = x1 + (target.x1 - x1) * eased;
      this.draw();
      if (t < 1) this.animation = requestAnimationFrame(step);
    };
    this.view.x0 = x0;
    this.view.x1 = x1;
    this.animation = requestAnimationFrame(step);
  }

  // The viewport as zoom and size want it.
  private settle(): void {
    const { boxes, zoom } = this.model;
    this.shownZoom = zoom;
    this.view.x0 = boxes.start[zoom]!;
    this.view.x1 = boxes.start[zoom]! + Math.max(boxes.total[zoom]!, 1e-9);
    const fromBottom = this.area.scrollHeight - this.area.scrollTop;
    this.view.rows = boxes.depth[zoom]! + boxes.height[zoom]!;
    this.space.style.height = `${Math.max(this.view.rows * ROW + 2 * PADDING, this.view.height)}px`;
    this.fillFromBottom();
    // A flame graph keeps its root where it is while the rows above it come and go.
    if (!this.model.icicle) this.area.scrollTop = this.area.scrollHeight - fromBottom;
    this.view.top = this.area.scrollTop;
  }

  // A flame graph lower than its area stands on the area's bottom.
  private fillFromBottom(): void {
    if (this.model.icicle) return;
    this.view.rows = Math.max(this.view.rows, Math.floor((this.view.height - 2 * PADDING) / ROW));
  }

  private toRoot(): void {
    this.area.scrollTop = this.model.icicle ? 0 : this.area.scrollHeight;
    this.view.top = this.area.scrollTop;
  }

  private resized(): void {
    const atRoot = this.area.scrollTop + this.view.height >= this.area.scrollHeight - 1; // with the height of before
    this.view.width = this.area.clientWidth;
    this.view.height = this.area.clientHeight;
    this.settle();
    if (atRoot && !this.model.icicle) this.toRoot();
    this.requestDraw();
  }

  private scrolled(): void {
    this.view.top = this.area.scrollTop;
    if (this.pointed) this.tooltip.hide();
    this.requestDraw();
  }

  private at(x: number, y: number): number {
    const { x0, x1, width } = this.view;
    return boxAt(this.model.boxes, depthAt(this.view, this.model.icicle, y), x0 + (x / width) * (x1 - x0));
  }

  private point(x: number, y: number, clientX: number, clientY: number): void {
    const box = this.at(x, y);
    if (box >= 0) this.tooltip.show(describe(this.model, box), clientX, clientY);
    else this.tooltip.hide();
    this.pointed = box >= 0;
    this.canvas.style.cursor = box >= 0 ? 'pointer' : 'default';
    if (box !== this.hover) this.requestDraw();
    this.hover = box;
  }

  private leave(): void {
    this.tooltip.hide();
    this.hover = -1;
    this.requestDraw();
  }

  private click(x: number, y: number): void {
    const box = this.at(x, y);
    this.canvas.focus({ preventScroll: true });
    if (box < 0) return;
    this.tooltip.hide();
    this.model.select(box);
    this.model.zoomTo(box);
  }

  private draw(): void {
    const begin = performance.now();
    const context = fitCanvas(this.canvas, this.view.width, this.view.height);
    if (this.model.total > 0) {
      const look = { palette: this.theme.palette, shade: this.shade, labels: this.labels, hover: this.hover };
      this.lastDrawn = new Painter(context, this.model, this.view, look).paint();
    }
    this.lastFrameMs = performance.now() - begin;
  }
}
