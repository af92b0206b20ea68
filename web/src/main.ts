// Reads the report out of the page and puts its parts together.
import './style.css';
import { BlockedList } from './views/blocked';
import { CallView } from './views/call';
import { Breadcrumb } from './views/breadcrumb';
import { fromBase64, hasLines, hasStates, inflate, parseReport, type Report } from './data/data';
import { byId } from './ui/dom';
import { copy } from './ui/name';
import { EventChoice } from './views/events';
import { FoldingChoice } from './views/foldings';
import { Graph } from './views/graph';
import { showHeader } from './views/header';
import { KindList } from './views/kinds';
import { Keyboard } from './views/keyboard';
import { Legend } from './views/legend';
import { MainView, type View } from './views/mainview';
import { MethodTable } from './views/methods';
import { Model } from './model/model';
import { Pair } from './model/pair';
import { Panel } from './views/panel';
import { SearchBox } from './views/searchbox';
import { SourceView } from './views/source';
import { FunctionTable } from './views/table';
import { Lanes } from './views/lanes';
import { MomentView } from './views/moment';
import { Theme } from './ui/theme';
import { ThreadList } from './views/threads';
import { Timeline } from './views/timeline';
import { TimeStrip } from './views/timestrip';
import { asSentence, describe, Tooltip } from './views/tooltip';

function wireOrientation(model: Model): void {
  const buttons = [byId('show-flame'), byId('show-icicle')];
  buttons.forEach((button, i) => button.addEventListener('click', () => model.setIcicle(i === 1)));
  const show = () => buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(model.icicle === (i === 1))));
  model.onChange((change) => change === 'look' && show());
  show();
}

function wireHelp(): () => void {
  const help = byId<HTMLDialogElement>('help');
  const toggle = () => (help.open ? help.close() : help.showModal());
  byId('help-button').addEventListener('click', toggle);
  help.addEventListener('click', (e) => e.target === help && help.close());
  help.addEventListener('keydown', (e) => {
    if (e.key !== '?') return;
    help.close();
    e.stopPropagation(); // else it would be opened again
  });
  return toggle;
}

// Says the selection to screen readers, and what to do when nothing is left to show.
function wireStatus(model: Model, empty: HTMLElement, canvas: HTMLElement): void {
  const show = () => {
    byId('selection').textContent = model.selected < 0 ? '' : asSentence(describe(model, model.selected));
    empty.hidden = model.total > 0;
    empty.textContent =
      model.report.meta.samples === 0
        ? `The recording has no samples${model.named ? ` of ${model.title}` : ''}.`
        : 'No samples match what is chosen.';
    canvas.setAttribute(
      'aria-label',
      `Flame graph of ${model.title}. Arrow keys move from frame to frame, Enter zooms, Escape goes back, question mark lists all keys.`,
    );
  };
  model.onChange(show);
  show();
}

// A second event beside the first: its graph, its time line and its states.
function buildBeside(model: Model, theme: Theme, tooltip: Tooltip, legend: Legend): Graph {
  const canvas = byId<HTMLCanvasElement>('beside-canvas');
  const graph = new Graph(model, theme, byId('beside'), byId('beside-space'), canvas, tooltip);
  const nowhere = () => document.createElement('span');
  new TimeStrip(model, theme, byId('beside-strip'), byId('beside-what'), nowhere(), nowhere(), byId('beside-peak'));
  legend.addStates(model, byId('beside-states'), () => !byId('beside').hidden);
  wireStatus(model, byId('beside-empty'), canvas);
  return graph;
}

interface TracedViews {
  main: MainView;
  methods: MethodTable | null;
  timeline: Timeline | null;
}

// Of traced calls: the table of methods, slow calls over time, and the choice between them and the call tree.
function buildTraced(model: Model, theme: Theme, panel: Panel, focus: (frame: number) => void): TracedViews {
  const { trace } = model.report;
  if (!trace) return { main: new MainView(['graph'], () => {}), methods: null, timeline: null };
  const views: View[] = trace.calls.length > 0 ? ['graph', 'methods', 'timeline'] : ['graph', 'methods'];
  const main = new MainView(views, (view) => {
    if (view === 'methods') methods.refresh();
    if (view === 'timeline') timeline?.redraw();
    const focus = { graph: 'graph-canvas', methods: 'methods-list', timeline: 'timeline-canvas' };
    byId(focus[view]).focus({ preventScroll: true });
  });
  const methods = new MethodTable(model, trace, (frame) => {
    main.show('graph');
    focus(frame);
  });
  const call = new CallView(model, trace, () => panel.reveal('moment', 'Call'), (i) => timeline?.pick(i));
  const timeline = trace.calls.length > 0 ? new Timeline(model, trace, theme, (i) => call.show(i)) : null;
  return { main, methods, timeline };
}

function build(reports: Report[]): void {
  showHeader(reports[0]!, reports);
  const model = new Model(reports[0]!);
  const pair = reports.length > 1 ? new Pair(model, new Model(reports[1]!)) : null;
  model.named = pair !== null;
  if (pair) pair.second.named = true;
  const models = pair ? [model, pair.second] : [model];
  const theme = new Theme(() => models.forEach((one) => one.themeChanged()));
  const tooltip = new Tooltip(byId('tooltip'));
  const canvas = byId<HTMLCanvasElement>('graph-canvas');
  const area = byId('graph');
  const graph = new Graph(model, theme, area, byId('graph-space'), canvas, tooltip);
  const caption = [byId('strip-what'), byId('range'), byId('range-clear'), byId('peak')] as const;
  const strip = new TimeStrip(model, theme, byId('strip'), ...caption);
  const search = new SearchBox(model, graph);
  const legend = new Legend(model, byId('kinds'), byId('activities'));
  legend.addStates(model, byId('states'));
  new Breadcrumb(model, byId('breadcrumb'));
  const threads = new ThreadList(model, pair?.second);
  const blocked = new BlockedList(models);
  const kinds = new KindList(models);
  const graphBeside = pair ? buildBeside(pair.second, theme, tooltip, legend) : null;
  const table = new FunctionTable(model, byId('panel-functions'), (row) => {
    if (row.heaviest >= 0) model.focusFunction(row);
    else model.focusFrame(row.frame);
    search.label(model.report.frames.name[row.frame]!);
    graph.showSelected();
  }, pair?.second, (frame) => showSource(frame));
  const source = new SourceView(model, byId('panel'));
  const panel = new Panel(() => {
    table.refresh();
    source.refresh();
  });
  panel.offer('source', hasLines(model.report));
  const showSource = (frame: number) => {
    if (model.selected > 0 && model.frameOf(model.selected) !== frame) model.select(-1); // it is the one that is asked for
    panel.reveal('source');
    source.show(frame);
  };
  panel.offer('blocked', blocked.offered);
  panel.offer('kinds', kinds.offered);
  const traced = buildTraced(model, theme, panel, (frame) => {
    const row = model.functions.find((one) => one.frame === frame);
    if (row) model.focusFunction(row);
    else model.focusFrame(frame);
    search.label(model.report.frames.name[frame]!);
    graph.showSelected();
  });
  const moment = new MomentView(model, () => panel.reveal('moment', 'Event'));
  new Lanes(model, theme, byId('lanes'), byId('lane-hint'), (i) => moment.show(i));
  const events = new EventChoice(byId('events'), reports, ({ first, beside }) => {
    const second = beside && pair ? pair.second : null;
    pair?.setTogether(false);
    model.setReport(first);
    if (second && beside) second.setReport(beside);
    pair?.setTogether(second !== null);
    document.body.classList.toggle('both', second !== null);
    for (const part of ['beside', 'beside-time']) byId(part).hidden = !second;
    byId('beside-states').hidden = !second || !hasStates(second.report);
    showHeader(first, reports);
    table.showBeside(second !== null);
    threads.showBeside(second !== null);
    blocked.use(second ?? model);
    panel.offer('blocked', blocked.offered);
    kinds.use(second ?? model);
    panel.offer('kinds', kinds.offered);
  });
  wireOrientation(model);
  new FoldingChoice(model, byId('folding'));
  wireStatus(model, byId('empty'), canvas);
  byId('theme-button').addEventListener('click', () => theme.toggle());
  const inBeside = () => document.activeElement === byId('beside-canvas');
  const current = () => (pair && inBeside() ? pair.second : model);
  const currentGraph = () => (graphBeside && inBeside() ? graphBeside : graph);
  new Keyboard(current, {
    selected: () => (current().selected < 0 ? tooltip.hide() : currentGraph().showSelected()),
    focusSearch: () => search.focus(),
    clearSearch: () => search.clear(),
    nextMatch: (by) => search.step(by),
    clearRange: () => strip.clear(),
    toggleTheme: () => theme.toggle(),
    toggleHelp: wireHelp(),
    togglePanel: () => panel.toggle(),
    nextEvent: () => events.next(),
    nextView: () => traced.main.next(),
    copyName: () => {
      const inTable = document.activeElement === byId('functions-list');
      const inTree = inTable ? table.nameInView : currentGraph().nameInView;
      const ofView = { graph: inTree, methods: traced.methods?.nameInView, timeline: traced.timeline?.nameInView };
      const name = ofView[traced.main.current] ?? '';
      if (name === '') return;
      void copy(name).then((done) => (byId('selection').textContent = done ? `Copied: ${name}` : 'This browser lets nothing be copied'));
    },
    showSource: () => {
      if (!hasLines(model.report)) return;
      if (panel.isOpen('source')) return panel.reveal('functions');
      const inTable = document.activeElement === byId('functions-list');
      const box = currentGraph().boxInView;
      showSource(inTable ? table.frameInView : box > 0 ? current().frameOf(box) : -1);
    },
    scroll: (pages) => {
      const shown = byId(inBeside() ? 'beside' : 'graph');
      shown.scrollBy({ top: pages * shown.clientHeight });
    },
  });
  // For the console and for tests.
  Object.assign(globalThis, { walkabout: { model, graph, theme, ...traced, beside: pair?.second ?? null, graphBeside } });
}

async function start(): Promise<void> {
  const problem = byId('problem');
  try {
    const reports = parseReport(await inflate(fromBase64(byId('walkabout-data').textContent ?? '')));
    document.body.classList.add('ready');
    build(reports);
  } catch (error) {
    problem.textContent = `The report cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
    problem.hidden = false;
  }
}

void start();
