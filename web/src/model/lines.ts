// Self and total by source line, of what a filter chooses within what is zoomed to. Where a sample may be of one of several
// lines, each of them has it as "at most", and none as its own. A line that is on a stack more than once counts once.
import type { Report, Tree } from '../data/data';
import { adder, counts, type Filter, type VisibleTree } from './aggregate';

export interface LineCost {
  self: number; // for certain
  total: number;
  mostSelf: number; // with what may be another line's
  mostTotal: number;
  or: Set<number>; // places that it is one line of several of
}

export interface PlaceCost {
  place: number;
  self: number;
  total: number; // a frame that calls itself at one place counts each time
}

const childLists = new WeakMap<Tree, { start: Uint32Array; list: Uint32Array }>();

function childrenOf(tree: Tree): { start: Uint32Array; list: Uint32Array } {
  const known = childLists.get(tree);
  if (known) return known;
  const nodes = tree.parent.length;
  const start = new Uint32Array(nodes + 1);
  for (let i = 1; i < nodes; i++) start[tree.parent[i]! + 1]!++;
  for (let i = 0; i < nodes; i++) start[i + 1]! += start[i]!;
  const next = start.slice();
  const list = new Uint32Array(Math.max(0, nodes - 1));
  for (let i = 1; i < nodes; i++) list[next[tree.parent[i]!]!++] = i;
  const made = { start, list };
  childLists.set(tree, made);
  return made;
}

const heavierFirst = (a: PlaceCost, b: PlaceCost) => b.self - a.self || b.total - a.total || a.place - b.place;

export class LineCosts {
  private readonly self: Float64Array; // by node of the report
  private readonly total: Float64Array;
  private readonly counted: Uint8Array; // by node of the report: it is shown, within what is zoomed to
  private readonly add: (a: number, b: number) => number;
  private byFrame: Map<number, PlaceCost[]> | null = null;
  private byBox: Map<number, PlaceCost[]> | null = null;

  // within: node of the visible tree that is zoomed to.
  constructor(
    private readonly report: Report,
    private readonly visible: VisibleTree,
    filter: Filter,
    private readonly hiddenKinds: number,
    within: number,
  ) {
    const { tree, rows } = report;
    const nodes = tree.parent.length;
    this.add = adder(report);
    this.self = new Float64Array(nodes);
    const inside = new Uint8Array(visible.parent.length);
    for (let i = 0; i < inside.length; i++) inside[i] = i === within || (i > 0 && inside[visible.parent[i]!]) ? 1 : 0;
    // The time of a hidden frame is its caller's, unless it has a row of its own.
    const owner = new Uint32Array(nodes);
    this.counted = new Uint8Array(nodes);
    for (let i = 1; i < nodes; i++) {
      const hidden = this.isHidden(i);
      const caller = tree.parent[i]!;
      owner[i] = hidden && visible.map[i] === visible.place[caller] ? owner[caller]! : i;
      this.counted[i] = !hidden && inside[visible.place[i]!] ? 1 : 0;
    }
    for (let i = rows.start[filter.from]!, end = rows.start[filter.to]!; i < end; i++) {
      const node = rows.node[i]!;
      if (!inside[visible.map[node]!] || !counts(rows, filter, i)) continue;
      const own = owner[node]!;
      this.self[own] = this.add(this.self[own]!, rows.weight[i]!);
    }
    this.total = this.self.slice();
    for (let i = nodes - 1; i > 0; i--) this.total[tree.parent[i]!] = this.add(this.total[tree.parent[i]!]!, this.total[i]!);
  }

  // Where a function is, heaviest first.
  ofFrame(frame: number): PlaceCost[] {
    this.byFrame ??= this.placesBy((node) => this.report.tree.frame[node]!);
    return this.byFrame.get(frame) ?? [];
  }

  // Where a node of the visible tree is.
  ofBox(node: number): PlaceCost[] {
    this.byBox ??= this.placesBy((i) => this.visible.place[i]!);
    return this.visible.folded[node]! > 0 ? [] : (this.byBox.get(node) ?? []);
  }

  // The file in which most of a function is; -1: no line of it is known.
  documentOf(frame: number): number {
    const { places } = this.report.sources;
    const [heaviest] = this.ofFrame(frame);
    return heaviest ? places[heaviest.place]!.document : -1;
  }

  // By line.
  ofDocument(document: number): Map<number, LineCost> {
    const { tree, sources } = this.report;
    const { start, list } = childrenOf(tree);
    const costs = new Map<number, LineCost>();
    const sureOnStack = new Map<number, number>();
    const onStack = new Map<number, number>();
    const isOn = (stack: Map<number, number>, line: number) => (stack.get(line) ?? 0) > 0;
    const step = (stack: Map<number, number>, line: number, by: number) => stack.set(line, (stack.get(line) ?? 0) + by);
    const placeOf = (node: number) => {
      const place = this.counted[node] ? sources.ofNode[node]! : 0;
      return sources.places[place]!.document === document ? place : 0;
    };
    const costOf = (line: number) => {
      let cost = costs.get(line);
      if (!cost) costs.set(line, (cost = { self: 0, total: 0, mostSelf: 0, mostTotal: 0, or: new Set() }));
      return cost;
    };
    const enter = (node: number, place: number) => {
      const { lines, sure } = sources.places[place]!;
      const [self, total] = [this.self[node]!, this.total[node]!];
      for (const line of lines) {
        const cost = costOf(line);
        if (!sure) cost.or.add(place);
        cost.mostSelf = this.add(cost.mostSelf, self);
        if (!isOn(onStack, line)) cost.mostTotal = this.add(cost.mostTotal, total);
        step(onStack, line, 1);
        if (!sure) continue;
        cost.self = this.add(cost.self, self);
        if (!isOn(sureOnStack, line)) cost.total = this.add(cost.total, total);
        step(sureOnStack, line, 1);
      }
    };
    const leave = (place: number) => {
      const { lines, sure } = sources.places[place]!;
      for (const line of lines) {
        step(onStack, line, -1);
        if (sure) step(sureOnStack, line, -1);
      }
    };
    // Depth first: a node is pushed again, negated, to be left after its children.
    const work = [0];
    while (work.length > 0) {
      const node = work.pop()!;
      if (node < 0) {
        leave(placeOf(-node));
        continue;
      }
      const place = placeOf(node);
      if (place !== 0) {
        enter(node, place);
        work.push(-node);
      }
      for (let i = start[node]!; i < start[node + 1]!; i++) if (this.total[list[i]!]! > 0) work.push(list[i]!);
    }
    return costs;
  }

  private isHidden(node: number): boolean {
    return (this.hiddenKinds & (1 << this.report.frames.kind[this.report.tree.frame[node]!]!)) !== 0;
  }

  private placesBy(of: (node: number) => number): Map<number, PlaceCost[]> {
    const { ofNode, places } = this.report.sources;
    const sums = new Map<number, PlaceCost>();
    const all = new Map<number, PlaceCost[]>();
    for (let i = 1; i < ofNode.length; i++) {
      const place = ofNode[i]!;
      if (place === 0 || !this.counted[i] || !(this.total[i]! > 0)) continue;
      const key = of(i) * places.length + place;
      let sum = sums.get(key);
      if (!sum) {
        sums.set(key, (sum = { place, self: 0, total: 0 }));
        const list = all.get(of(i));
        if (list) list.push(sum);
        else all.set(of(i), [sum]);
      }
      sum.self = this.add(sum.self, this.self[i]!);
      sum.total = this.add(sum.total, this.total[i]!);
    }
    for (const list of all.values()) list.sort(heavierFirst);
    return all;
  }
}

export interface SourceRow {
  line: number; // 0: lines are left out here
  text: string | null; // null: the page has not got it
  cost: LineCost | null;
  leftOut: number;
}

// What there is to show of a file: the text that the page has, and all lines with costs.
export function sourceRows(text: Map<number, string>, costs: Map<number, LineCost>): SourceRow[] {
  const numbers = [...new Set([...text.keys(), ...costs.keys()])].sort((a, b) => a - b);
  const rows: SourceRow[] = [];
  numbers.forEach((line, i) => {
    const skipped = line - (i === 0 ? 0 : numbers[i - 1]!) - 1;
    if (skipped > 0 && text.size > 0) rows.push({ line: 0, text: null, cost: null, leftOut: skipped });
    rows.push({ line, text: text.get(line) ?? null, cost: costs.get(line) ?? null, leftOut: 0 });
  });
  return rows;
}
