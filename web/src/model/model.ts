// What is shown and what is derived from it. Views read it, change it through its methods and are notified of what changed:
// 'data' (other weights and boxes, or another event), 'view' (zoom, selection, search), 'look' (theme, orientation).
import {
  activityWeights,
  aggregate,
  allOf,
  stateWeights,
  threadWeights,
  visibleTree,
  type Filter,
  type Totals,
  type VisibleTree,
} from './aggregate';
import { ACTIVITIES, isOfEvents, isTraced, KINDS, titleOf, type Report } from '../data/data';
import { byFunction, type FunctionRow } from './functions';
import { LineCosts } from './lines';
import { layOut, type Boxes } from './layout';
import { together, type Figures } from '../data/trace';
import { findMatches, matchFrames, type Matches, type Query } from './search';
import { categories } from './colours';
import { runName } from './folding';
import { amount } from '../ui/text';

export type Change = 'data' | 'view' | 'look';

export class Model {
  readonly filter: Filter;
  hiddenKinds = 0;
  folding: number; // index into FOLDINGS
  tree: VisibleTree;
  totals!: Totals;
  boxes!: Boxes;
  readonly category: Uint8Array; // per frame: its colour
  activity!: Float64Array; // weight by activity in the chosen threads and time, hidden activities included
  state!: Float64Array; // … by state, hidden ones included
  byThread!: Float64Array; // weight by thread in the chosen time, threads that are not chosen included
  zoom = 0; // box that fills the width
  selected = -1;
  matches: Matches | null = null;
  searchError = '';
  focusedFrame = -1; // the one function that was asked for instead of a search
  icicle = false;
  named = false; // the graph says which event it is of: there are several
  aggregateMs = 0; // what the last change of the filter cost

  query: Query = { text: '', regex: false };
  private readonly back: number[] = []; // nodes zoomed before, for going out again
  private matching: Uint8Array | null = null; // per frame
  private functionRows: FunctionRow[] | null = null;
  private costs: LineCosts | null = null;
  private callFigures: Map<number, Figures> | null = null; // by node of the tree
  private readonly listeners: ((change: Change) => void)[] = [];

  // report: the event that is shown.
  constructor(public report: Report) {
    this.filter = allOf(report);
    this.category = categories(report.frames);
    this.folding = report.meta.folding;
    this.tree = visibleTree(report.tree, report.frames, 0, this.folding);
    this.recompute();
  }

  onChange(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  get total(): number {
    return this.boxes.total[0]!;
  }

  // Of what is zoomed to.
  get functions(): FunctionRow[] {
    return (this.functionRows ??= byFunction(
      this.tree,
      this.boxes,
      this.totals,
      this.zoom,
      isOfEvents(this.report.source) ? this.report.frames : undefined,
    ));
  }

  // Of what is zoomed to.
  get lineCosts(): LineCosts {
    const within = this.boxes.node[this.zoom]!;
    return (this.costs ??= new LineCosts(this.report, this.tree, this.filter, this.hiddenKinds, within));
  }

  // Another event of the same recording. What is chosen stays chosen, but for a system call, a wait or a kind: each
  // event has its own.
  setReport(report: Report): void {
    if (report === this.report) return;
    this.report = report;
    this.filter.call = this.filter.wait = this.filter.label = this.filter.kind = 0;
    this.rebuild();
  }

  get title(): string {
    return titleOf(this.report.source);
  }

  // An amount of the event, in its unit.
  amount(weight: number): string {
    return amount(weight, this.report.source.unit);
  }

  // Weight of what fills the width.
  get shown(): number {
    return this.boxes.total[this.zoom]!;
  }

  categoryOf(box: number): number {
    return box === 0 ? KINDS.indexOf('other') : this.category[this.frameOf(box)]!;
  }

  frameOf(box: number): number {
    return this.tree.frame[this.boxes.node[box]!]!;
  }

  nameOf(box: number): string {
    if (box === 0) return 'all';
    const name = this.report.frames.name[this.frameOf(box)]!;
    const count = this.foldedIn(box);
    return count === 0 ? name : runName(name, count);
  }

  // What traced calls at a node of the tree come to, of all threads and the whole recording; null: there are none.
  callsAt(node: number): Figures | null {
    const { trace, source } = this.report;
    if (!trace || !isTraced(source) || node === 0 || this.tree.folded[node]! > 0) return null;
    if (!this.callFigures) {
      this.callFigures = new Map();
      for (const [at, figures] of trace.nodes) {
        const here = this.tree.map[at]!;
        const known = this.callFigures.get(here);
        this.callFigures.set(here, known ? together(known, figures) : figures);
      }
    }
    return this.callFigures.get(node) ?? null;
  }

  // Of how many frames at most the box is a run; 0: of none.
  foldedIn(box: number): number {
    return this.tree.folded[this.boxes.node[box]!]!;
  }

  setFilter(change: Partial<Filter>): void {
    Object.assign(this.filter, change);
    this.rebuild();
  }

  toggleThread(thread: number): void {
    this.filter.threads[thread] = this.filter.threads[thread] ? 0 : 1;
    this.rebuild();
  }

  toggleActivity(activity: number): void {
    this.setFilter({ hiddenActivities: this.filter.hiddenActivities ^ (1 << activity) });
  }

  toggleState(state: number): void {
    this.setFilter({ hiddenStates: this.filter.hiddenStates ^ (1 << state) });
  }

  toggleKind(kind: number): void {
    this.setVisible(this.hiddenKinds ^ (1 << kind), this.folding);
  }

  // Again: as without.
  toggleFolding(folding: number): void {
    this.setFolding(this.folding === folding ? 0 : folding);
  }

  setFolding(folding: number): void {
    this.setVisible(this.hiddenKinds, folding);
  }

  setVisible(hiddenKinds: number, folding: number): void {
    this.hiddenKinds = hiddenKinds;
    this.folding = folding;
    const before = this.tree;
    this.callFigures = null;
    this.tree = visibleTree(this.report.tree, this.report.frames, hiddenKinds, folding);
    this.rebuild((node) => this.tree.place[before.first[node]!]!);
  }

  zoomTo(box: number): void {
    if (box === this.zoom) return;
    this.back.push(this.boxes.node[this.zoom]!);
    this.showZoom(box);
  }

  // To the box of a node of the tree, or the nearest caller that has weight.
  zoomToNode(node: number): void {
    this.zoomTo(this.nearestBox(node));
  }

  // To where the last zoom came from; false when nothing is zoomed.
  zoomOut(): boolean {
    if (this.zoom === 0) return false;
    this.showZoom(this.nearestBox(this.back.pop() ?? 0));
    return true;
  }

  select(box: number): void {
    if (box === this.selected) return;
    this.selected = box;
    this.notify('view');
  }

  search(query: Query): void {
    this.query = query;
    this.searchError = '';
    this.focusedFrame = -1;
    this.matching = null;
    try {
      if (query.text !== '') this.matching = matchFrames(this.report.frames, query);
    } catch {
      this.searchError = 'not a regular expression';
    }
    this.findMatches();
    this.notify('view');
  }

  // One function, wherever it is called within what is zoomed to.
  focusFunction(row: FunctionRow): void {
    this.selected = row.heaviest;
    this.focusFrame(row.frame);
  }

  focusFrame(frame: number): void {
    this.matching = new Uint8Array(this.report.frames.name.length);
    this.matching[frame] = 1;
    this.focusedFrame = frame;
    this.searchError = '';
    this.findMatches();
    this.notify('view');
  }

  setIcicle(icicle: boolean): void {
    this.icicle = icicle;
    this.notify('look');
  }

  themeChanged(): void {
    this.notify('look');
  }

  private showZoom(box: number): void {
    this.zoom = box;
    this.functionRows = this.costs = null;
    if (box === 0) this.back.length = 0;
    this.findMatches();
    this.notify('view');
  }

  private findMatches(): void {
    this.matches = this.matching && findMatches(this.tree, this.report.tree, this.boxes, this.matching, this.zoom);
  }

  // The box of `node` or, when it has no weight now, of the nearest caller that has.
  private nearestBox(node: number): number {
    while (node !== 0 && this.boxes.boxOf[node]! < 0) node = this.tree.parent[node]!;
    return this.boxes.boxOf[node]!;
  }

  private rebuild(renamed: (node: number) => number = (node) => node): void {
    const zoomed = renamed(this.boxes.node[this.zoom]!);
    const selected = this.selected < 0 ? -1 : renamed(this.boxes.node[this.selected]!);
    for (let i = 0; i < this.back.length; i++) this.back[i] = renamed(this.back[i]!);
    const begin = performance.now();
    this.recompute();
    this.aggregateMs = performance.now() - begin;
    this.zoom = this.nearestBox(zoomed);
    this.functionRows = this.costs = null;
    this.selected = selected < 0 ? -1 : this.boxes.boxOf[selected]!;
    this.findMatches();
    this.notify('data');
  }

  private recompute(): void {
    this.totals = aggregate(this.report, this.tree, this.filter);
    this.boxes = layOut(this.tree, this.totals);
    this.activity = activityWeights(this.report, this.filter, ACTIVITIES.length);
    this.state = stateWeights(this.report, this.filter);
    this.byThread = threadWeights(this.report, this.filter);
    this.functionRows = this.costs = null;
  }

  private notify(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}

