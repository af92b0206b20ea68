// The legend is the filter too: kinds of frames can be folded into their callers, GC and JIT samples left out.
import { ACTIVITIES, KINDS } from '../data/data';
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
};

interface Chip {
  button: HTMLButtonElement;
  share: HTMLElement;
  activity: number; // whose share is shown; -1 for none
  shown: () => boolean;
}

export class Legend {
  private readonly chips: Chip[] = [];

  constructor(
    private readonly model: Model,
    kinds: HTMLElement,
    activities: HTMLElement,
  ) {
    const { frames, tree } = model.report;
    const used = new Set(Array.from(tree.frame, (frame) => frames.kind[frame]!));
    KINDS.forEach((kind, i) => {
      if (!used.has(i) && i >= ACTIVITIES.indexOf('gc')) return; // stub and other only where there are any
      const activity = (ACTIVITIES as readonly string[]).indexOf(kind);
      const help = `Show ${kind} frames; without, their time is counted in their callers`;
      this.add(kinds, kind, activity, help, () => model.toggleKind(i), () => !(model.hiddenKinds & (1 << i)));
    });
    for (const what of ['gc', 'jit'] as const) {
      const i = ACTIVITIES.indexOf(what);
      const help = `Count samples taken in ${what === 'gc' ? 'garbage collection' : 'the JIT compiler'}`;
      const shown = () => !(model.filter.hiddenActivities & (1 << i));
      this.add(activities, what, i, help, () => model.toggleActivity(i), shown);
    }
    model.onChange((change) => change === 'data' && this.show());
    this.show();
  }

  private add(
    place: HTMLElement,
    category: string,
    activity: number,
    help: string,
    toggle: () => void,
    shown: () => boolean,
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
    this.chips.push({ button, share, activity, shown });
  }

  private show(): void {
    const { activity } = this.model;
    const whole = activity.reduce((a, b) => a + b, 0);
    for (const chip of this.chips) {
      chip.button.setAttribute('aria-pressed', String(chip.shown()));
      chip.share.textContent = chip.activity < 0 ? '' : percent(activity[chip.activity]!, whole);
    }
  }
}
