// The legend is the filter too: kinds of frames can be folded into their callers; samples of GC and JIT, and those of
// threads that run, could run or are blocked, can be left out.
import { ACTIVITIES, hasStates, isOfEvents, KINDS, STATES } from '../data/data';
import { el } from '../ui/dom';
import type { Model } from '../model/model';
import { percent } from '../ui/text';

const NAMES: Record<string, string> = {
  managed: 'Managed',
  native: 'Native',
  runtime: 'Runtime',
  stub: 'Stub',
  other: 'Other',
  gc: 'GC',
  jit: 'JIT',
  running: 'Running',
  runnable: 'Runnable',
  blocked: 'Blocked',
};

interface Chip {
  button: HTMLButtonElement;
  share: HTMLElement;
  part: () => number; // whose share is shown; NaN for none
  whole: () => number;
  shown: () => boolean;
}

const STATE_HELP: Record<(typeof STATES)[number], string> = {
  running: 'Count time in which a thread ran',
  runnable: 'Count time in which a thread could run but waited for a CPU',
  blocked: 'Count time in which a thread waited in a system call',
};
const sum = (amounts: Float64Array) => amounts.reduce((a, b) => a + b, 0);

export class Legend {
  private readonly chips: Chip[] = [];

  constructor(model: Model, kinds: HTMLElement, activities: HTMLElement) {
    const { frames, tree } = model.report;
    const used = new Set(Array.from(tree.frame, (frame) => frames.kind[frame]!));
    KINDS.forEach((kind, i) => {
      if (!used.has(i) && i >= ACTIVITIES.indexOf('gc')) return; // stub and other only where there are any
      const activity = (ACTIVITIES as readonly string[]).indexOf(kind);
      const help = `Show ${kind} frames; without, their time is counted in their callers`;
      // The leaf's kind says little of an event: most are raised inside the runtime.
      const part = () => (activity < 0 || isOfEvents(model.report.source) ? NaN : model.activity[activity]!);
      this.add(kinds, kind, help, () => model.toggleKind(i), {
        part,
        whole: () => sum(model.activity),
        shown: () => !(model.hiddenKinds & (1 << i)),
      });
    });
    for (const what of ['gc', 'jit'] as const) {
      const i = ACTIVITIES.indexOf(what);
      const help = `Count samples taken in ${what === 'gc' ? 'garbage collection' : 'the JIT compiler'}`;
      this.add(activities, what, help, () => model.toggleActivity(i), {
        part: () => model.activity[i]!,
        whole: () => sum(model.activity),
        shown: () => !(model.filter.hiddenActivities & (1 << i)),
      });
    }
    const show = () => {
      activities.hidden = isOfEvents(model.report.source);
      this.show();
    };
    model.onChange((change) => change === 'data' && show());
    show();
  }

  // The states of an event that tells them apart. Hidden while `model` shows another one, or nothing.
  addStates(model: Model, states: HTMLElement, isShown: () => boolean = () => true): void {
    STATES.forEach((state, i) =>
      this.add(states, state, STATE_HELP[state], () => model.toggleState(i), {
        part: () => model.state[i]!,
        whole: () => sum(model.state),
        shown: () => !(model.filter.hiddenStates & (1 << i)),
      }),
    );
    const show = () => {
      states.hidden = !isShown() || !hasStates(model.report);
      this.show();
    };
    model.onChange((change) => change === 'data' && show());
    show();
  }

  private add(
    place: HTMLElement,
    category: string,
    help: string,
    toggle: () => void,
    state: Pick<Chip, 'part' | 'whole' | 'shown'>,
  ): void {
    const share = el('span', { class: 'share' });
    const button = el(
      'button',
      { class: 'chip', type: 'button', title: help, 'data-category': category },
      el('span', { class: `swatch ${category}` }),
      NAMES[category]!,
      share,
    );
    button.addEventListener('click', toggle);
    place.append(button);
    this.chips.push({ button, share, ...state });
  }

  private show(): void {
    for (const chip of this.chips) {
      chip.button.setAttribute('aria-pressed', String(chip.shown()));
      chip.share.textContent = Number.isNaN(chip.part()) ? '' : percent(chip.part(), chip.whole());
    }
  }
}
