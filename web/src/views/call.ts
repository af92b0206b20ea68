// One slow call in the panel: how long it took, its arguments, what came of it, the kept calls around and in it, and its
// stack.
import { type SlowCall, type Trace } from '../data/trace';
import { byId, el } from '../ui/dom';
import type { Model } from '../model/model';
import { nameElement } from '../ui/name';
import { fine, plural, time } from '../ui/text';
import { stackList } from './moment';

const MOST_CALLEES = 20;

export class CallView {
  private readonly box = byId('moment');

  constructor(
    private readonly model: Model,
    private readonly trace: Trace,
    private readonly opened: () => void,
    private readonly picked: (call: number) => void, // another one was asked for
  ) {}

  show(index: number): void {
    const call = this.trace.calls[index]!;
    const method = this.trace.methods[call.method]!;
    const parts: HTMLElement[] = [
      el('div', { class: 'headings call' }, nameElement(method.name, this.ownOf(call))),
      this.facts(call),
      this.values(call),
      ...this.links(index, call),
    ];
    if (call.node > 0) parts.push(stackList(this.model.report, call.node));
    else parts.push(el('p', { class: 'note' }, 'Its stack is not known.'));
    this.box.replaceChildren(...parts);
    this.box.scrollTop = 0;
    this.opened();
  }

  private ownOf(call: SlowCall): number {
    const { frame } = this.trace.methods[call.method]!;
    return frame < 0 ? 0 : this.model.report.frames.own[frame]!;
  }

  private facts(call: SlowCall): HTMLElement {
    const facts = el('dl', { class: 'facts' });
    const fact = (name: string, value: string) => facts.append(el('dt', {}, name), el('dd', {}, value));
    const thread = (i: number) => {
      const { name, tid } = this.model.report.meta.threads[i]!;
      return `${name} (${tid})`;
    };
    fact('took', fine(call.took));
    fact('from', `${time(call.begin)} to ${time(call.begin + call.took)}`);
    if (call.cpu >= 0) fact('CPU', fine(call.cpu));
    if (call.waiting > 0) fact('waiting', fine(call.waiting));
    fact('thread', thread(call.thread));
    if (call.endedIn !== call.thread) fact('ended in', thread(call.endedIn));
    return facts;
  }

  private values(call: SlowCall): HTMLElement {
    const list = el('dl', { class: 'facts values' });
    for (const { name, type, text } of call.arguments) {
      const term = el('dt', { title: type }, name || 'argument');
      list.append(term, el('dd', { title: type }, text || '?'));
    }
    const outcomes = { returned: 'returned', exception: 'threw', not_ended: '' };
    const outcome = outcomes[call.outcome];
    if (call.outcome === 'not_ended') list.append(el('dt', {}, ''), el('dd', {}, 'had not ended when the recording did'));
    else if (call.result !== '' || call.outcome === 'exception')
      list.append(el('dt', { class: call.outcome }, outcome), el('dd', { class: call.outcome }, call.result || 'an exception'));
    return list;
  }

  // The call around it and those in it, each a button.
  private links(index: number, call: SlowCall): HTMLElement[] {
    const link = (i: number, words: string) => {
      const { method, took } = this.trace.calls[i]!;
      const button = el('button', { type: 'button', class: 'link' }, nameElement(this.trace.methods[method]!.name), el('small', {}, fine(took)));
      button.addEventListener('click', () => this.picked(i));
      return el('div', { class: 'other-call' }, el('span', { class: 'quiet' }, words), button);
    };
    const callees = this.trace.calls.flatMap(({ caller }, i) => (caller === index ? [i] : []));
    const shown = callees.sort((a, b) => this.trace.calls[b]!.took - this.trace.calls[a]!.took).slice(0, MOST_CALLEES);
    const rows = shown.map((i, at) => link(i, at === 0 ? 'in it' : ''));
    if (callees.length > shown.length)
      rows.push(el('div', { class: 'other-call quiet' }, `and ${plural(callees.length - shown.length, 'shorter call')}`));
    return call.caller >= 0 ? [link(call.caller, 'within'), ...rows] : rows;
  }
}
