// Slow calls over time: a row for each thread, calls within the calls that they were made in, those of async methods that
// waited in rows of their own. Wheel and drag move and zoom; a click, or the keyboard, picks a call, which the panel shows.
import { type SlowCall, type Trace, valuesOf } from '../data/trace';
import { shadesOf, SHADES } from '../model/colours';
import type { Model } from '../model/model';
import { around, moved, type Span, zoomed } from '../model/timespan';
import { byId, el, fitCanvas, onceAFrame } from '../ui/dom';
import { Labels } from '../ui/labels';
import { fine, mark, plural, time } from '../ui/text';
import type { Theme } from '../ui/theme';
import { tickStep } from './timestrip';

const ROW = 18; // px
const AXIS = 20;
const GAP = 8; // px between lanes
const TITLE = 15; // px over a lane
const NARROWEST = 1.5; // px
const TEXT_FROM = 24;
const DRAG_FROM = 4; // px: less is a click
const STEP = 0.8; // of a zoom
const FONT = '11.5px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

const endOf = (call: SlowCall) => call.begin + call.took;

export class Timeline {
  picked = -1;
  span: Span;
  private readonly canvas = byId<HTMLCanvasElement>('timeline-canvas');
  private readonly area = byId('timeline');
  private readonly space = byId('timeline-space');
  private readonly hint = byId('timeline-hint');
  private readonly labels: Labels;
  private readonly shade: Uint8Array;
  private readonly top: number[] = []; // px, by lane
  private readonly height: number;
  private readonly requestDraw = onceAFrame(() => this.draw());
  private hover = -1;
  private pressed: { x: number; span: Span; moved: boolean } | null = null;

  constructor(
    private readonly model: Model,
    private readonly trace: Trace,
    private readonly theme: Theme,
    private readonly show: (call: number) => void,
  ) {
    let y = AXIS + GAP;
    for (const lane of trace.lanes) {
      this.top.push(y + TITLE);
      y += TITLE + lane.depth * ROW + GAP;
    }
    this.height = y;
    const measuring = document.createElement('canvas').getContext('2d')!;
    measuring.font = FONT;
    const names = trace.methods.map(({ name }) => name);
    const own = trace.methods.map(({ frame }) => (frame < 0 ? 0 : model.report.frames.own[frame]!));
    this.labels = new Labels(names, (text) => measuring.measureText(text).width, own);
    this.shade = shadesOf(names);
    this.span = this.whole;
    this.canvas.setAttribute(
      'aria-label',
      `${plural(trace.calls.length, 'slow call')} over time. Arrow keys move from call to call, up and down to callers and callees; plus and minus zoom, Enter zooms to the call, Escape back.`,
    );
    this.canvas.addEventListener('pointerdown', (e) => this.press(e));
    this.canvas.addEventListener('pointermove', (e) => this.move(e));
    this.canvas.addEventListener('pointerup', (e) => this.release(e));
    this.canvas.addEventListener('pointercancel', () => (this.pressed = null));
    this.canvas.addEventListener('pointerleave', () => this.point(-1));
    this.canvas.addEventListener('dblclick', () => this.picked >= 0 && this.fit(this.picked));
    this.canvas.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    this.canvas.addEventListener('keydown', (e) => this.key(e));
    this.area.addEventListener('scroll', this.requestDraw);
    new ResizeObserver(() => this.requestDraw()).observe(this.area);
    model.onChange((change) => {
      if (change === 'data') this.span = this.whole;
      this.requestDraw();
    });
    this.explain();
    this.requestDraw();
  }

  get nameInView(): string {
    const call = this.hover >= 0 ? this.hover : this.picked;
    return call < 0 ? '' : this.trace.methods[this.trace.calls[call]!.method]!.name;
  }

  // Where a call is on the canvas, in CSS pixels.
  place(index: number): { x: number; y: number; width: number } {
    const call = this.trace.calls[index]!;
    const scale = this.width / (this.span.to - this.span.from);
    const x = (call.begin - this.span.from) * scale;
    const y = this.top[call.lane]! + call.depth * ROW - this.area.scrollTop;
    return { x, y, width: Math.max(NARROWEST, call.took * scale) };
  }

  redraw(): void {
    this.requestDraw();
  }

  pick(index: number): void {
    this.picked = index;
    this.bring(index);
    this.requestDraw();
    this.explain();
    this.show(index);
  }

  // Zooms to a call, and brings it into sight.
  fit(index: number): void {
    const call = this.trace.calls[index]!;
    this.span = around({ from: call.begin, to: endOf(call) }, this.bounds);
    this.requestDraw();
  }

  // What the time strip has chosen; where nothing, the whole recording.
  private get whole(): Span {
    const { from, to } = this.model.filter;
    const { bucket_us, duration_us } = this.model.report.meta;
    return { from: from * bucket_us, to: Math.max(Math.min(to * bucket_us, duration_us), from * bucket_us + 1) };
  }

  private get bounds(): Span {
    const { buckets, bucket_us, duration_us } = this.model.report.meta;
    return { from: 0, to: Math.max(1, Math.min(buckets * bucket_us, duration_us)) };
  }

  private get width(): number {
    return Math.max(1, this.area.clientWidth);
  }

  private timeAt(x: number): number {
    return this.span.from + (x / this.width) * (this.span.to - this.span.from);
  }

  // The call at a place; of several too thin to tell apart the longest.
  private at(x: number, y: number): number {
    if (y < AXIS) return -1;
    const scale = this.width / (this.span.to - this.span.from);
    const down = y + this.area.scrollTop;
    let best = -1;
    this.trace.calls.forEach((call, i) => {
      const row = this.top[call.lane]! + call.depth * ROW;
      if (down < row || down >= row + ROW) return;
      const left = (call.begin - this.span.from) * scale;
      if (x < left - 1 || x > Math.max(left + NARROWEST, (endOf(call) - this.span.from) * scale) + 1) return;
      if (best < 0 || call.took > this.trace.calls[best]!.took) best = i;
    });
    return best;
  }

  // ---- pointer

  private press(e: PointerEvent): void {
    if (e.button !== 0) return;
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(e.pointerId);
    this.pressed = { x: e.offsetX, span: this.span, moved: false };
  }

  private move(e: PointerEvent): void {
    if (!this.pressed) return this.point(this.at(e.offsetX, e.offsetY));
    const by = e.offsetX - this.pressed.x;
    if (Math.abs(by) < DRAG_FROM && !this.pressed.moved) return;
    this.pressed.moved = true;
    const { span } = this.pressed;
    this.span = moved(span, (-by / this.width) * (span.to - span.from), this.bounds);
    this.requestDraw();
  }

  private release(e: PointerEvent): void {
    const clicked = this.pressed && !this.pressed.moved;
    this.pressed = null;
    const call = this.at(e.offsetX, e.offsetY);
    if (clicked && call >= 0) this.pick(call);
  }

  private point(call: number): void {
    if (call === this.hover) return;
    this.hover = call;
    this.canvas.style.cursor = call < 0 ? 'grab' : 'pointer';
    this.explain();
    this.requestDraw();
  }

  // Up and down scroll the rows; with Ctrl, or sideways, the time.
  private wheel(e: WheelEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) {
      this.zoom(Math.exp(e.deltaY * 0.004), this.timeAt(e.offsetX));
    } else if (Math.abs(e.deltaX) > Math.abs(e.deltaY) || e.shiftKey) {
      const by = e.deltaX !== 0 ? e.deltaX : e.deltaY;
      this.span = moved(this.span, (by / this.width) * (this.span.to - this.span.from), this.bounds);
    } else if (this.area.scrollHeight <= this.area.clientHeight) {
      this.zoom(Math.exp(e.deltaY * 0.002), this.timeAt(e.offsetX)); // there is nothing to scroll
    } else {
      return;
    }
    e.preventDefault();
    this.requestDraw();
  }

  private zoom(factor: number, at: number): void {
    this.span = zoomed(this.span, at, factor, this.bounds);
    this.requestDraw();
  }

  // ---- keyboard

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const middle = (this.span.from + this.span.to) / 2;
    const at = this.picked < 0 ? middle : this.trace.calls[this.picked]!.begin;
    const actions: Record<string, () => void> = {
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      ArrowUp: () => this.picked >= 0 && this.pickIf(this.trace.calls[this.picked]!.caller),
      ArrowDown: () => this.pickIf(this.picked < 0 ? 0 : this.trace.calls.findIndex((call) => call.caller === this.picked)),
      Enter: () => this.picked >= 0 && this.fit(this.picked),
      '+': () => this.zoom(STEP, at),
      '-': () => this.zoom(1 / STEP, at),
      Escape: () => this.out(),
    };
    const action = actions[e.key];
    if (!action) return;
    action();
    e.preventDefault();
    e.stopPropagation();
  }

  private out(): void {
    this.span = this.whole;
    this.requestDraw();
  }

  private pickIf(call: number): void {
    if (call >= 0 && call < this.trace.calls.length) this.pick(call);
  }

  // To the next call at the same depth of the lane, or of the next lane.
  private step(by: 1 | -1): void {
    const { calls } = this.trace;
    if (this.picked < 0) return this.pickIf(0);
    const here = calls[this.picked]!;
    let next = this.picked + by;
    while (next >= 0 && next < calls.length && calls[next]!.lane === here.lane && calls[next]!.depth !== here.depth) next += by;
    this.pickIf(next);
  }

  private bring(index: number): void {
    const call = this.trace.calls[index]!;
    if (endOf(call) < this.span.from || call.begin > this.span.to) this.fit(index);
    const y = this.top[call.lane]! + call.depth * ROW;
    if (y - TITLE < this.area.scrollTop + AXIS) this.area.scrollTop = y - TITLE - AXIS;
    else if (y + ROW > this.area.scrollTop + this.area.clientHeight) this.area.scrollTop = y + 2 * ROW - this.area.clientHeight;
  }

  // ---- drawing

  // One line below: what is under the pointer, or what there is.
  private explain(): void {
    const call = this.hover >= 0 ? this.hover : this.picked;
    if (call >= 0) {
      const { method, took, begin } = this.trace.calls[call]!;
      const { name } = this.trace.methods[method]!;
      this.hint.replaceChildren(el('b', {}, fine(took)), ` ${name} ${valuesOf(this.trace.calls[call]!)} at ${time(begin)}`);
      return;
    }
    const { latency, calls, leftOut } = this.trace;
    const parts = [`${plural(calls.length, 'call')} of ${fine(latency)} and more, and those they were made in`];
    if (leftOut > 0) parts.push(`${plural(leftOut, 'shorter one')} left out`);
    this.hint.textContent = `${parts.join('; ')}. Ctrl and wheel zoom, a drag moves, a double click zooms to a call.`;
  }

  private draw(): void {
    if (this.area.hidden) return;
    const { width } = this;
    const height = this.area.clientHeight;
    this.space.style.height = `${Math.max(this.height, height)}px`;
    const context = fitCanvas(this.canvas, width, height);
    context.font = FONT;
    context.textBaseline = 'middle';
    this.grid(context, width, height);
    this.lanes(context, width);
    const matches = this.model.matches?.frames ?? null;
    this.trace.calls.forEach((_, i) => this.slice(context, i, width, height, matches));
    this.axis(context, width);
  }

  private ticks(width: number, each: (x: number, text: string) => void): void {
    const { from, to } = this.span;
    const step = tickStep(to - from, width / 110);
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) each(((t - from) / (to - from)) * width, mark(t, step));
  }

  private grid(context: CanvasRenderingContext2D, width: number, height: number): void {
    context.fillStyle = this.theme.palette.faint;
    this.ticks(width, (x) => context.fillRect(Math.round(x), AXIS, 1, height));
  }

  private axis(context: CanvasRenderingContext2D, width: number): void {
    const style = getComputedStyle(this.area);
    context.fillStyle = style.backgroundColor;
    context.fillRect(0, 0, width, AXIS);
    context.fillStyle = this.theme.palette.faint;
    context.fillRect(0, AXIS - 1, width, 1);
    context.fillStyle = this.theme.palette.axis;
    this.ticks(width, (x, text) => context.fillText(text, x + 3, AXIS / 2));
  }

  private lanes(context: CanvasRenderingContext2D, width: number): void {
    const { threads } = this.model.report.meta;
    this.trace.lanes.forEach((lane, i) => {
      const y = this.top[i]! - this.area.scrollTop;
      context.fillStyle = this.theme.palette.faint;
      context.fillRect(0, Math.round(y - TITLE - GAP / 2), width, 1);
      context.fillStyle = this.theme.palette.axis;
      const { name, tid } = threads[lane.thread]!;
      context.fillText(`${name} (${tid})${lane.async ? ', async methods that began in it' : ''}`, 6, y - TITLE / 2);
    });
  }

  private slice(context: CanvasRenderingContext2D, index: number, width: number, height: number, matches: Uint8Array | null): void {
    const { x, y, width: wide } = this.place(index);
    if (y + ROW < AXIS || y > height || x + wide < 0 || x > width) return;
    const call = this.trace.calls[index]!;
    const { frame } = this.trace.methods[call.method]!;
    const { palette } = this.theme;
    const left = Math.max(x, -2);
    const right = Math.min(x + wide, width + 2);
    const found = matches !== null && frame >= 0 && matches[frame] === 1;
    const category = frame < 0 ? 0 : this.model.category[frame]!;
    const shade = this.shade[call.method]!;
    const colours = matches === null ? palette.box : palette.faded;
    context.fillStyle = found ? palette.match[shade]! : colours[category * SHADES + shade]!;
    context.fillRect(left, y, right - left, ROW - 1);
    if (call.waiting > 0) this.hatch(context, left, y, right - left);
    if (call.outcome === 'exception') {
      context.fillStyle = palette.solid.gc;
      context.fillRect(left, y + ROW - 4, right - left, 3);
    }
    if (index === this.hover) {
      context.fillStyle = palette.hover;
      context.fillRect(left, y, right - left, ROW - 1);
    }
    if (index === this.picked) {
      context.strokeStyle = palette.select;
      context.lineWidth = 1.5;
      context.strokeRect(left + 0.75, y + 0.75, Math.max(1, right - left - 1.5), ROW - 2.5);
    }
    const begin = Math.max(left, 0);
    const room = Math.min(right, width) - begin - 8;
    if (room < TEXT_FROM) return;
    context.fillStyle = found ? palette.matchText : matches === null ? palette.text : palette.fadedText;
    const name = this.labels.fit(call.method, room);
    context.fillText(name, begin + 4, y + ROW / 2 - 0.5);
    const used = context.measureText(name).width;
    const took = fine(call.took);
    if (used + context.measureText(took).width + 16 > room) return;
    context.fillStyle = palette.fadedText;
    context.fillText(took, begin + 4 + used + 8, y + ROW / 2 - 0.5);
  }

  // Part of it was waiting; when, is not known.
  private hatch(context: CanvasRenderingContext2D, x: number, y: number, width: number): void {
    context.save();
    context.beginPath();
    context.rect(x, y, width, ROW - 1);
    context.clip();
    context.strokeStyle = this.theme.palette.hover;
    context.lineWidth = 2;
    context.beginPath();
    for (let at = x - ROW; at < x + width; at += 7) {
      context.moveTo(at, y + ROW);
      context.lineTo(at + ROW, y);
    }
    context.stroke();
    context.restore();
  }
}
