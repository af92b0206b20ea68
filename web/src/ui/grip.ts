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

function keep(key: string, width: number): void {
  try {
    if (width > 0) localStorage.setItem(key, String(width));
    else localStorage.removeItem(key);
  } catch {
    // not remembered, but shown
  }
}

// part: right of the grip. Its width is the CSS variable `variable` of it, which the style uses where there is room, and
// is kept under `key`. changed: it has another width.
export function wireGrip(grip: HTMLElement, part: HTMLElement, variable: string, key: string, changed: () => void): void {
  const most = () => Math.max(LEAST, part.parentElement!.clientWidth - LEAST_REST);
  const say = () => {
    grip.setAttribute('aria-valuemin', String(LEAST));
    grip.setAttribute('aria-valuemax', String(most()));
    grip.setAttribute('aria-valuenow', String(part.offsetWidth));
  };
  const set = (width: number) => {
    part.style.setProperty(variable, `${Math.round(Math.min(Math.max(width, LEAST), most()))}px`);
    say();
    changed();
  };
  grip.addEventListener('pointerdown', (e) => {
    if (e.button !== 0) return;
    const [x, width] = [e.clientX, part.offsetWidth];
    const drag = new AbortController();
    const during = { signal: drag.signal };
    let moved = false;
    const end = () => {
      drag.abort();
      if (moved) keep(key, part.offsetWidth);
    };
    grip.setPointerCapture(e.pointerId);
    grip.addEventListener(
      'pointermove',
      (to) => {
        moved = true;
        set(width + x - to.clientX);
      },
      during,
    );
    grip.addEventListener('pointerup', end, during);
    grip.addEventListener('pointercancel', end, during);
    e.preventDefault();
  });
  grip.addEventListener('keydown', (e) => {
    const step = e.key === 'ArrowLeft' ? STEP : e.key === 'ArrowRight' ? -STEP : 0;
    if (step === 0) return;
    set(part.offsetWidth + step);
    keep(key, part.offsetWidth);
    e.preventDefault();
    e.stopPropagation();
  });
  grip.addEventListener('dblclick', () => {
    part.style.removeProperty(variable);
    keep(key, 0);
    say();
    changed();
  });
  new ResizeObserver(say).observe(part);
  const before = remembered(key);
  if (before > 0) set(before);
}
