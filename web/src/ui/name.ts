// A function's name as an element whose namespace gives way first, from its left, where room is short.
import { el } from './dom';
import { splitName } from './text';

export function nameElement(name: string, own = 0): HTMLElement {
  const [space, rest] = splitName(name, own);
  // Cut on its left: an ellipsis stands at the end of a line, and its line ends there.
  const parts = space === '' ? [] : [el('span', { class: 'space' }, el('bdi', { dir: 'ltr' }, space))];
  const whole = el('span', { class: 'name parted' }, ...parts, el('span', { class: 'own' }, rest));
  // The parts are blocks of their own, which a browser copies as lines. Of several rows the line ends are right.
  whole.addEventListener('copy', (e) => {
    const selected = getSelection();
    if (!selected || selected.rangeCount !== 1 || !whole.contains(selected.getRangeAt(0).commonAncestorContainer)) return;
    e.clipboardData?.setData('text/plain', String(selected).replaceAll('\n', ''));
    e.preventDefault();
  });
  return whole;
}

// Puts text into the clipboard, also where the page is a file.
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el('textarea', { style: 'position: fixed; opacity: 0' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
