// Reads the report out of the page and puts its parts together.
import './style.css';
import { Breadcrumb } from './views/breadcrumb';
import { fromBase64, inflate, parseReport, type Report } from './data/data';
import { byId } from './ui/dom';
import { Graph } from './views/graph';
import { showHeader } from './views/header';
import { Keyboard } from './views/keyboard';
import { Legend } from './views/legend';
import { Model } from './model/model';
import { Panel } from './views/panel';
import { SearchBox } from './views/searchbox';
import { FunctionTable } from './views/table';
import { Theme } from './ui/theme';
import { ThreadList } from './views/threads';
import { TimeStrip } from './views/timestrip';
import { describe, spoken, Tooltip } from './views/tooltip';

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
function wireStatus(model: Model): void {
  const show = () => {
    byId('selection').textContent = model.selected < 0 ? '' : spoken(describe(model, model.selected));
    byId('empty').hidden = model.total > 0;
    byId('empty').textContent =
      model.report.meta.samples === 0 ? 'The recording has no samples.' : 'No samples match the chosen threads and time.';
  };
  model.onChange(show);
  show();
}

function build(report: Report): void {
  showHeader(report.meta);
  const model = new Model(report);
  const theme = new Theme(() => model.themeChanged());
  const tooltip = new Tooltip(byId('tooltip'));
  const canvas = byId<HTMLCanvasElement>('graph-canvas');
  const area = byId('graph');
  const graph = new Graph(model, theme, area, byId('graph-space'), canvas, tooltip);
  const strip = new TimeStrip(model, theme, byId('strip'), byId('range'), byId('range-clear'), byId('peak'));
  const search = new SearchBox(model, graph);
  new Legend(model, byId('kinds'), byId('activities'));
  new Breadcrumb(model, byId('breadcrumb'));
  new ThreadList(model);
  const table = new FunctionTable(model, byId('panel-functions'), (row) => {
    model.focusFunction(row);
    search.label(report.frames.name[row.frame]!);
    graph.showSelected();
  });
  const panel = new Panel(() => table.refresh());
  wireOrientation(model);
  wireStatus(model);
  byId('theme-button').addEventListener('click', () => theme.toggle());
  new Keyboard(model, {
    selected: () => (model.selected < 0 ? tooltip.hide() : graph.showSelected()),
    focusSearch: () => search.focus(),
    clearSearch: () => search.clear(),
    nextMatch: (by) => search.step(by),
    clearRange: () => strip.clear(),
    toggleTheme: () => theme.toggle(),
    toggleHelp: wireHelp(),
    togglePanel: () => panel.toggle(),
    scroll: (pages) => area.scrollBy({ top: pages * area.clientHeight }),
  });
  // For the console and for tests.
  Object.assign(globalThis, { walkabout: { model, graph, theme } });
}

async function start(): Promise<void> {
  const problem = byId('problem');
  try {
    const report = parseReport(await inflate(fromBase64(byId('walkabout-data').textContent ?? '')));
    document.body.classList.add('ready');
    build(report);
  } catch (error) {
    problem.textContent = `The report cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
    problem.hidden = false;
  }
}

void start();
