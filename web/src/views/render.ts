// Draws boxes on a canvas: only rows in sight, only boxes in sight; runs of boxes too thin to see become one.
import { firstEndingAfter } from '../model/layout';
import type { Labels } from '../ui/labels';
import type { Model } from '../model/model';
import { SHADES, type Palette } from '../model/colours';
import { percent } from '../ui/text';

export const ROW = 18;
export const FONT_SIZE = 11.5;
export const PADDING = 6; // above and below the rows
const THIN = 1.5; // px: below this boxes are drawn as part of a run
const VISIBLE = 0.5; // px: what is narrower is not drawn
const TEXT_FROM = 26; // px: narrower boxes carry no name
const INSET = 5;
const DASH = 3; // px, of the line below the name of an inlined method

export interface Viewport {
  x0: number; // microseconds of CPU at the left edge
  x1: number;
  width: number; // CSS pixels
  height: number;
  top: number; // scrolled by
  rows: number; // rows of the whole picture
}

export interface Look {
  palette: Palette;
  shade: Uint8Array; // per frame
  labels: Labels;
  hover: number;
}

export function rowTop(view: Viewport, icicle: boolean, depth: number): number {
  const row = icicle ? depth : view.rows - 1 - depth;
  return PADDING + row * ROW - view.top;
}

export function depthAt(view: Viewport, icicle: boolean, y: number): number {
  const row = Math.floor((y + view.top - PADDING) / ROW);
  return icicle ? row : view.rows - 1 - row;
}

export class Painter {
  private drawn = 0;
  private colour = '';
  private readonly scale: number;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly model: Model,
    private readonly view: Viewport,
    private readonly look: Look,
  ) {
    this.scale = view.width / (view.x1 - view.x0);
  }

  // Returns how many rectangles it drew.
  paint(): number {
    const { context, view, model } = this;
    context.font = `${FONT_SIZE}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
    context.textBaseline = 'middle';
    const edges = [depthAt(view, model.icicle, 0), depthAt(view, model.icicle, view.height)].sort((a, b) => a - b);
    const last = Math.min(edges[1]!, view.rows - 1, model.boxes.rowStart.length - 2);
    for (let depth = Math.max(0, edges[0]!); depth <= last; depth++) this.row(depth);
    this.outline(this.look.hover, false);
    this.outline(model.selected, true);
    return this.drawn;
  }

  private row(depth: number): void {
    const { start, total, rowStart } = this.model.boxes;
    const { x0, x1 } = this.view;
    const y = rowTop(this.view, this.model.icicle, depth);
    const end = rowStart[depth + 1]!;
    let runFrom = 0;
    let runTo = -1;
    let runBox = -1;
    const flush = () => {
      if (runBox >= 0 && runTo - runFrom >= VISIBLE) this.fill(runBox, runFrom, y, runTo - runFrom);
      runBox = -1;
    };
    for (let box = firstEndingAfter(this.model.boxes, depth, x0); box < end && start[box]! < x1; box++) {
      const left = (start[box]! - x0) * this.scale;
      const width = total[box]! * this.scale;
      if (width >= THIN) {
        flush();
        this.box(box, left, y, width);
        continue;
      }
      if (runBox >= 0 && (left - runTo > VISIBLE || left - runFrom > THIN)) flush();
      if (runBox < 0) {
        runBox = box;
        runFrom = left;
      } else if (this.matches(box) > this.matches(runBox)) {
        runBox = box; // a match stays visible among thin boxes
      }
      runTo = left + width;
    }
    flush();
  }

  private box(box: number, left: number, y: number, width: number): void {
    const from = Math.max(left, 0);
    const to = Math.min(left + width, this.view.width);
    this.fill(box, from, y, to - from - (to - from > 4 ? 1 : 0.4));
    if (to - from >= TEXT_FROM) this.text(box, from, y, to - from);
    if (box !== 0 && this.isInlined(box)) this.underline(from, y, to - from);
  }

  // Its code is a part of its caller's.
  private isInlined(box: number): boolean {
    return this.model.foldedIn(box) === 0 && this.model.report.frames.inlined[this.model.frameOf(box)] === 1;
  }

  private underline(x: number, y: number, width: number): void {
    this.use(this.look.palette.fadedText);
    for (let at = x; at < x + width - 1; at += 2 * DASH) this.context.fillRect(at, y + ROW - 3, Math.min(DASH, x + width - 1 - at), 1);
  }

  private matches(box: number): number {
    return this.model.matches ? this.model.matches.frames[this.model.frameOf(box)]! : 0;
  }

  private fill(box: number, x: number, y: number, width: number): void {
    const { palette, shade } = this.look;
    const frame = this.model.frameOf(box);
    const tone = box === 0 ? 2 : shade[frame]!;
    const index = this.model.categoryOf(box) * SHADES + tone;
    let colour = palette.box[index]!;
    if (this.model.matches) colour = box !== 0 && this.matches(box) ? palette.match[tone]! : palette.faded[index]!;
    else if (this.isAncestor(box)) colour = palette.faded[index]!;
    this.use(colour);
    this.context.fillRect(x, y, width, ROW - 1);
    this.drawn++;
  }

  // Setting the style is what costs, so not when it stays the same.
  private use(colour: string): void {
    if (colour !== this.colour) this.context.fillStyle = this.colour = colour;
  }

  // A caller of what is zoomed to: there for the way back, not part of the picture.
  private isAncestor(box: number): boolean {
    return this.model.boxes.depth[box]! < this.model.boxes.depth[this.model.zoom]!;
  }

  private text(box: number, x: number, y: number, width: number): void {
    const { palette } = this.look;
    const text = this.textOf(box, width - 2 * INSET);
    if (text === '') return;
    const matched = box !== 0 && this.matches(box);
    const faded = this.model.matches || this.isAncestor(box);
    this.use(matched ? palette.matchText : faded ? palette.fadedText : palette.text);
    this.context.fillText(text, x + INSET, y + ROW / 2);
  }

  private textOf(box: number, width: number): string {
    const { labels } = this.look;
    if (box === 0) return this.rootText();
    return this.model.foldedIn(box) > 0 ? labels.fitText(this.model.nameOf(box), width) : labels.fit(this.model.frameOf(box), width);
  }

  private rootText(): string {
    const { total, report, named } = this.model;
    const share = `${percent(total, report.meta.weight_us)} of the recording`;
    return `${named ? this.model.title : 'all'} · ${this.model.amount(total)} · ${share}`;
  }

  private outline(box: number, selected: boolean): void {
    if (box < 0 || box >= this.model.boxes.count) return;
    const { context, view } = this;
    const left = (this.model.boxes.start[box]! - view.x0) * this.scale;
    const from = Math.max(left, 0);
    const to = Math.min(left + this.model.boxes.total[box]! * this.scale, view.width);
    if (to <= 0 || from >= view.width) return;
    const y = rowTop(view, this.model.icicle, this.model.boxes.depth[box]!);
    const width = Math.max(to - from, 2);
    context.fillStyle = this.look.palette.hover;
    context.fillRect(from, y, width - (width > 4 ? 1 : 0), ROW - 1);
    if (!selected) return;
    context.strokeStyle = this.look.palette.select;
    context.lineWidth = 1.5;
    context.strokeRect(from + 0.75, y + 0.75, Math.max(width - 2.5, 1), ROW - 2.5);
  }
}
