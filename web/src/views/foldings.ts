// Which runs of frames are shown as one: none, those that run async methods, all that are not the program's own.
import { FOLDINGS } from '../model/folding';
import type { Model } from '../model/model';
import { el } from '../ui/dom';

const CHOICES: Record<(typeof FOLDINGS)[number], [text: string, help: string]> = {
  none: ['All frames', 'Show every frame'],
  async: ['Fold async', 'Fold what runs async methods, tasks and work of the thread pool (a)'],
  'my code': ['My code', 'Just my code: fold each run of frames of .NET’s libraries, the runtime and native code (m)'],
};

export class FoldingChoice {
  constructor(model: Model, place: HTMLElement) {
    const buttons = FOLDINGS.map((folding, i) => {
      const [text, help] = CHOICES[folding];
      const button = el('button', { type: 'button', title: help, 'data-folding': folding }, text);
      button.addEventListener('click', () => model.setFolding(i));
      return button;
    });
    place.append(...buttons);
    const show = () => buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(model.folding === i)));
    model.onChange((change) => change === 'data' && show());
    show();
  }
}
