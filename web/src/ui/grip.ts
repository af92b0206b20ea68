// A line between two parts of the page that is dragged to give one of them more room. Arrow keys move it too.
const STEP = 24; // px
const LEAST = 220;
const LEAST_REST = 160;

function remembered(key: string): number {
  try {
    return Number(localStorage.getItem(key)) || 0;
  } catch {
    return 0; // storage is off for local files in this browser
  }
}

// part: right of the grip; its width is kept under `key`. changed: it has another width.
export function wireGrip(grip: HTMLElement, part: HTMLElement, key: string, changed: () => void): void {
  const most = () => Math.max(LEAST, part.parentElement!.clientWidth - LEAST_REST);
  const set = (width: number) => {
    const fitting = Math.round(Math.min(Math.max(width, LEAST), most()));
    part.style.width = `${fitting}px`;
    grip.setAttribute('aria-valuenow', String(fitting));
    changed();
  };
  const keep = () => {
    try {
      localStorage.setItem(key, String(part.offsetWidth));
    } catch {
      // not remembered, but shown
    }
  };
  grip.addEventListener('pointerdown', (e) => {
    const [x, width] = [e.clientX, part.offsetWidth];
    const move = (to: PointerEvent) => set(width + x - to.clientX);
    grip.setPointerCapture(e.pointerId);
    grip.addEventListener('pointermove', move);
    const end = () => {
      grip.removeEventListener('pointermove', move);
      keep();
    };
    grip.addEventListener('pointerup', end, { once: true });
    grip.addEventListener('pointercancel', end, { once: true });
    e.preventDefault();
  });
  grip.addEventListener('keydown', (e) => {
    const step = e.key === 'ArrowLeft' ? STEP : e.key === 'ArrowRight' ? -STEP : 0;
    if (step === 0) return;
    set(part.offsetWidth + step);
    keep();
    e.preventDefault();
    e.stopPropagation();
  });
  grip.addEventListener('dblclick', () => {
    part.style.width = '';
    keep();
    changed();
  });
  const before = remembered(key);
  if (before > 0) set(before);
}
