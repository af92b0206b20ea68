// The event over time at the top of the page, stacked by activity, or by state where it tells them apart. Dragging picks
// a time range; the two handles do the same for the keyboard.
import { ACTIVITIES, hasStates, isTime, isTraced, STATES } from '../data/data';
import { el, fitCanvas, onceAFrame } from '../ui/dom';
import { counts } from '../model/aggregate';
import type { Model } from '../model/model';
import type { Theme } from '../ui/theme';
import { mark, time } from '../ui/text';

const AXIS = 16; // px below the bars
const DRAG_FROM = 3; // px: less is a click
const COLUMN = 3; // px: the narrowest bar
const FEWEST_COLUMNS = 24;
const IN_A_COLUMN = 4; // samples wanted in each
const LIVE_MS = 60; // re-aggregate while dragging if that is as quick as this

// Microseconds between labels so that about `labels` of them fit into `span`.
export function tickStep(span: number, labels: number): number {
  const rough = span / Math.max(1, labels);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((m) => m * power).find((step) => step >= rough)!;
}

// Weight by bucket. A sample of wall time stands for the time before it, so its weight belongs to as many buckets.
export class Series {
  constructor(
    private readonly out: Float64Array, // bucket b is at b * step + offset
    private readonly step: number,
    private readonly offset: number,
    private readonly bucketUs: number, // 0: each weight is its sample's bucket's
    private readonly least = 0, // microseconds that each stands for at least
    private readonly isTime = true, // weights are microseconds
  ) {}

  add(bucket: number, weight: number, samples: number): void {
    if (this.bucketUs === 0) {
      this.at(bucket, weight);
      return;
    }
    const each = Math.max(this.least, this.isTime ? weight / Math.max(1, samples) : 0);
    const buckets = Math.max(1, each / this.bucketUs);
    const part = weight / buckets;
    const first = bucket + 1 - Math.floor(buckets); // of those that it fills
    // What was before the recording is not shown.
    this.at(Math.max(0, first - 1), first > 0 ? part * (buckets % 1) : 0);
    this.at(Math.max(0, first), first > 0 ? part * (1 - (buckets % 1)) : part);
    this.at(bucket + 1, -part);
  }

  // What was added are the steps up and down of the sum.
  finish(): void {
    if (this.bucketUs === 0) return;
    let sum = 0;
    for (let i = this.offset; i < this.out.length; i += this.step) this.out[i] = sum += this.out[i]!;
  }

  private at(bucket: number, weight: number): void {
    const i = bucket * this.step + this.offset;
    if (i < this.out.length) this.out[i]! += weight;
  }
}

export class TimeStrip {
  private readonly canvas = el('canvas', { 'aria-hidden': 'true' });
  private readonly shadeLeft = el('div', { class: 'shade' });
  private readonly shadeRight = el('div', { class: 'shade' });
  private readonly handles = [this.handle('Start of the time range'), this.handle('End of the time range')] as const;
  private readonly requestDraw = onceAFrame(() => this.draw());
  private histogram = new Float64Array(0); // bucket × layer: weight of chosen threads
  private everything = new Float64Array(0); // bucket: weight of all threads
  private anchor = -1; // px where a drag began
  private pending: { from: number; to: number } | null = null; // shown, not yet aggregated

  constructor(
    private readonly model: Model,
    private readonly theme: Theme,
    private readonly box: HTMLElement,
    private readonly what: HTMLElement,
    private readonly label: HTMLElement,
    private readonly clearButton: HTMLElement,
    private readonly peak: HTMLElement,
  ) {
    box.append(this.canvas, this.shadeLeft, this.shadeRight, ...this.handles);
    box.addEventListener('pointerdown', (e) => this.press(e));
    box.addEventListener('pointermove', (e) => this.drag(e));
    box.addEventListener('pointerup', () => this.release());
    box.addEventListener('pointercancel', () => this.release());
    clearButton.addEventListener('click', () => this.clear());
    model.onChange((change) => {
      if (change === 'data') this.count();
      if (change !== 'view') this.requestDraw();
    });
    new ResizeObserver(() => this.requestDraw()).observe(box);
    this.count();
    this.requestDraw();
  }

  clear(): boolean {
    const { filter, report } = this.model;
    if (filter.from === 0 && filter.to === report.meta.buckets) return false;
    this.model.setFilter({ from: 0, to: report.meta.buckets });
    return true;
  }

  // Colours of the layers, from the bottom.
  private get colours(): string[] {
    const { palette } = this.theme;
    return hasStates(this.model.report) ? STATES.map((s) => palette.state[s]) : ACTIVITIES.map((a) => palette.solid[a]);
  }

  private count(): void {
    const { rows, meta, source } = this.model.report;
    const byState = hasStates(this.model.report);
    const kinds = byState ? STATES.length : ACTIVITIES.length;
    const over: Record<string, string> = { thread_cpu: 'CPU', wall: 'Threads' };
    this.what.textContent = `${over[source.clock] ?? this.model.title} over time`;
    this.histogram = new Float64Array(meta.buckets * kinds);
    this.everything = new Float64Array(meta.buckets);
    // Of traced calls it is known what they came to from one record to the next, not when within that.
    const least = isTraced(source) ? source.period / 1000 : 0;
    const bucketUs = source.clock === 'wall' || least > 0 ? meta.bucket_us : 0;
    const everything = new Series(this.everything, 1, 0, bucketUs, least, isTime(source));
    const layers = Array.from({ length: kinds }, (_, k) => new Series(this.histogram, kinds, k, bucketUs, least, isTime(source)));
    for (let b = 0; b < meta.buckets; b++) {
      for (let i = rows.start[b]!; i < rows.start[b + 1]!; i++) {
        const [weight, samples] = [rows.weight[i]!, rows.count[i]!];
        everything.add(b, weight, samples);
        if (!counts(rows, this.model.filter, i)) continue;
        layers[byState ? rows.state[i]! : rows.activity[i]!]?.add(b, weight, samples);
      }
    }
    for (const series of [everything, ...layers]) series.finish();
  }

  // ---- picking a range

  private handle(label: string): HTMLElement {
    const handle = el('div', { class: 'handle', role: 'slider', tabindex: '0', 'aria-label': label });
    handle.addEventListener('keydown', (e) => this.key(e, handle));
    return handle;
  }

  private bucketAt(x: number): number {
    const { buckets } = this.model.report.meta;
    return Math.min(Math.max((x / this.box.clientWidth) * buckets, 0), buckets);
  }

  private press(e: PointerEvent): void {
    if (e.button !== 0) return;
    const x = e.clientX - this.box.getBoundingClientRect().left;
    // A handle keeps the other end of the range.
    const grabbed = this.handles.findIndex((h) => h === e.target);
    const { from, to } = this.model.filter;
    const { buckets } = this.model.report.meta;
    this.anchor = grabbed < 0 ? x : ((grabbed === 0 ? to : from) / buckets) * this.box.clientWidth;
    this.box.setPointerCapture(e.pointerId);
    e.preventDefault();
  }

  private drag(e: PointerEvent): void {
    if (this.anchor < 0) return;
    const x = e.clientX - this.box.getBoundingClientRect().left;
    if (Math.abs(x - this.anchor) < DRAG_FROM) return;
    const [a, b] = [this.bucketAt(Math.min(x, this.anchor)), this.bucketAt(Math.max(x, this.anchor))];
    const from = Math.min(Math.floor(a), this.model.report.meta.buckets - 1);
    this.pending = { from, to: Math.max(Math.ceil(b), from + 1) };
    if (this.model.aggregateMs < LIVE_MS) this.commit();
    else this.requestDraw();
  }

  private release(): void {
    if (this.anchor < 0) return;
    this.anchor = -1;
    this.commit();
  }

  private commit(): void {
    const range = this.pending;
    this.pending = null;
    const { from, to } = this.model.filter;
    if (range && (range.from !== from || range.to !== to)) this.model.setFilter(range);
  }

  private key(e: KeyboardEvent, handle: HTMLElement): void {
    const { filter, report } = this.model;
    const { buckets } = report.meta;
    const step = Math.max(1, Math.round(buckets / (e.shiftKey ? 20 : 100)));
    const steps: Record<string, number> = {
      ArrowLeft: -step,
      ArrowDown: -step,
      ArrowRight: step,
      ArrowUp: step,
      Home: -buckets,
      End: buckets,
    };
    const by = steps[e.key];
    if (by === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    if (handle === this.handles[0]) {
      this.model.setFilter({ from: Math.min(Math.max(filter.from + by, 0), filter.to - 1) });
    } else {
      this.model.setFilter({ to: Math.min(Math.max(filter.to + by, filter.from + 1), buckets) });
    }
  }

  // ---- drawing

  private draw(): void {
    const width = this.box.clientWidth;
    const height = this.box.clientHeight;
    const context = fitCanvas(this.canvas, width, height);
    this.bars(context, width, height - AXIS);
    this.axis(context, width, height);
    this.range(width);
  }

  // Weight per microsecond in columns as wide as is needed for a few samples in each: [column × layer], and of all
  // threads [column].
  private columns(width: number): { stacks: Float64Array; whole: Float64Array } {
    const { buckets, bucket_us, samples } = this.model.report.meta;
    const wanted = Math.min(buckets, Math.floor(width / COLUMN), Math.max(FEWEST_COLUMNS, samples / IN_A_COLUMN));
    const count = Math.max(1, Math.floor(wanted));
    const kinds = this.colours.length;
    const stacks = new Float64Array(count * kinds);
    const whole = new Float64Array(count);
    for (let c = 0, b = 0; c < count; c++) {
      const end = Math.floor(((c + 1) * buckets) / count);
      const scale = 1 / ((end - b) * bucket_us);
      for (; b < end; b++) {
        whole[c]! += this.everything[b]! * scale;
        for (let k = 0; k < kinds; k++) stacks[c * kinds + k]! += this.histogram[b * kinds + k]! * scale;
      }
    }
    return { stacks, whole };
  }

  private bars(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { stacks, whole } = this.columns(width);
    const { colours } = this;
    const kinds = colours.length;
    const most = whole.reduce((a, b) => Math.max(a, b), 0);
    const step = width / whole.length;
    const scale = most > 0 ? (height - 4) / most : 0;
    const { palette } = this.theme;
    whole.forEach((cores, c) => {
      const x = Math.round(c * step);
      const w = Math.max(1, Math.round((c + 1) * step) - x - (step > COLUMN + 1 ? 1 : 0));
      context.fillStyle = palette.faint;
      context.fillRect(x, height - cores * scale, w, cores * scale);
      let y = height;
      for (let k = 0; k < kinds; k++) {
        const h = stacks[c * kinds + k]! * scale;
        if (h <= 0) continue;
        context.fillStyle = colours[k]!;
        context.fillRect(x, y - h, w, h);
        y -= h;
      }
    });
    this.peak.textContent = most > 0 ? `peak ${this.rate(most)}` : '';
  }

  // per microsecond.
  private rate(most: number): string {
    const { source } = this.model.report;
    if (!isTime(source)) return `${this.model.amount(Math.round(most * 1e6))}/s`;
    return source.clock === 'thread_cpu' ? `${most.toFixed(2)} cores` : `${most.toFixed(1)} threads`;
  }

  private axis(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { duration_us, buckets, bucket_us } = this.model.report.meta;
    const span = Math.max(buckets * bucket_us, 1);
    const step = tickStep(span, width / 110);
    context.font = '10.5px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
    context.textBaseline = 'alphabetic';
    for (let t = 0; t <= duration_us; t += step) {
      const x = (t / span) * width;
      context.fillStyle = this.theme.palette.faint;
      context.fillRect(Math.round(x), height - AXIS, 1, 4);
      const text = mark(t, step);
      const wide = context.measureText(text).width;
      if (x + wide + 4 > width) continue;
      context.fillStyle = this.theme.palette.axis;
      context.fillText(text, x + 3, height - 3);
    }
  }

  private range(width: number): void {
    const { buckets, bucket_us, duration_us } = this.model.report.meta;
    const { from, to } = this.pending ?? this.model.filter;
    const left = (from / buckets) * width;
    const right = (to / buckets) * width;
    this.shadeLeft.style.width = `${left}px`;
    this.shadeRight.style.width = `${width - right}px`;
    const begin = from * bucket_us;
    const end = Math.min(to * bucket_us, duration_us);
    const picked = from > 0 || to < buckets;
    this.clearButton.hidden = !picked;
    this.label.textContent = picked ? `${time(begin)} – ${time(end)} (${time(end - begin)})` : 'drag to pick a time range';
    this.place(this.handles[0], left, begin, picked);
    this.place(this.handles[1], right, end, picked);
  }

  private place(handle: HTMLElement, x: number, at: number, picked: boolean): void {
    handle.style.left = `${x}px`;
    handle.classList.toggle('picked', picked);
    handle.setAttribute('aria-valuemin', '0');
    handle.setAttribute('aria-valuemax', String(Math.round(this.model.report.meta.duration_us)));
    handle.setAttribute('aria-valuenow', String(Math.round(at)));
    handle.setAttribute('aria-valuetext', time(at));
  }
}
