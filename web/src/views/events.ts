// Which event is shown: one of those that were recorded, or CPU time and another one side by side.
import { titleOf, type Report } from '../data/data';
import { el } from '../ui/dom';

export interface Shown {
  first: Report;
  beside: Report | null;
}

export class EventChoice {
  private readonly buttons: HTMLButtonElement[] = [];
  private readonly choices: Shown[];
  private at = 0;

  constructor(
    private readonly group: HTMLElement,
    reports: Report[],
    private readonly show: (shown: Shown) => void,
  ) {
    this.choices = reports.map((first) => ({ first, beside: null }));
    const titles = reports.map((report) => titleOf(report.source));
    for (let i = 1; i < reports.length; i++) {
      this.choices.push({ first: reports[0]!, beside: reports[i]! });
      titles.push(reports.length === 2 ? 'Side by side' : `${titles[0]} and ${titles[i]!}`);
    }
    group.hidden = reports.length < 2;
    titles.forEach((title, i) => this.add(title, i));
    this.press();
  }

  next(): void {
    this.choose((this.at + 1) % this.choices.length);
  }

  private add(title: string, i: number): void {
    const button = el('button', { type: 'button', title: 'What is shown (e)' }, title);
    button.addEventListener('click', () => this.choose(i));
    this.buttons.push(button);
    this.group.append(button);
  }

  private choose(i: number): void {
    if (i === this.at) return;
    this.at = i;
    this.press();
    this.show(this.choices[i]!);
  }

  private press(): void {
    this.buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(i === this.at)));
  }
}
