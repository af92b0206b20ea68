// Which event is shown: one of those that were recorded, or CPU time and another one side by side.
import { eventOf, type Report } from '../data/data';
import { el } from '../ui/dom';

export interface Shown {
  first: Report;
  beside: Report | null;
}

export class EventChoice {
  private readonly buttons: HTMLButtonElement[];
  private readonly together: HTMLButtonElement;
  private at = 0;
  private sideBySide = false;

  constructor(
    group: HTMLElement,
    private readonly reports: Report[],
    private readonly show: (shown: Shown) => void,
  ) {
    group.hidden = reports.length < 2;
    this.buttons = reports.map((report, i) => this.button(eventOf(report.source), () => this.choose(i, this.sideBySide && reports.length > 2)));
    this.together = this.button('Side by side', () => this.choose(this.at, !this.sideBySide));
    this.together.title = `Beside ${eventOf(reports[0]!.source)}`;
    group.append(...this.buttons, this.together);
    this.press();
  }

  // The next event; behind the last one all over again, side by side or not.
  next(): void {
    const last = this.at === this.reports.length - 1;
    this.choose(last ? 0 : this.at + 1, this.sideBySide !== last);
  }

  private button(title: string, chosen: () => void): HTMLButtonElement {
    const button = el('button', { type: 'button', title: 'What is shown (e)' }, title);
    button.addEventListener('click', chosen);
    return button;
  }

  private choose(at: number, sideBySide: boolean): void {
    // The first event is beside nothing: it is shown with the second.
    this.at = sideBySide && at === 0 ? 1 : at;
    this.sideBySide = sideBySide;
    this.press();
    const chosen = this.reports[this.at]!;
    this.show(sideBySide ? { first: this.reports[0]!, beside: chosen } : { first: chosen, beside: null });
  }

  private press(): void {
    const two = this.reports.length === 2;
    this.buttons.forEach((button, i) =>
      button.setAttribute('aria-pressed', String(i === this.at && !(two && this.sideBySide))),
    );
    this.together.setAttribute('aria-pressed', String(this.sideBySide));
  }
}
