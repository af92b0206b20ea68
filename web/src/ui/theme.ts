// The theme of the page: the reader's choice, else the system's.
import { palette, type Palette } from '../model/colours';

const KEY = 'walkabout.theme';
const wantsDark = matchMedia('(prefers-color-scheme: dark)');

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is off for local files in this browser
  }
}

export class Theme {
  dark = false;
  palette!: Palette;

  constructor(private readonly changed: () => void) {
    this.apply();
    wantsDark.addEventListener('change', () => this.apply());
  }

  toggle(): void {
    try {
      localStorage.setItem(KEY, this.dark ? 'light' : 'dark');
    } catch {
      // not remembered, but shown
    }
    this.apply(!this.dark);
  }

  private apply(choice?: boolean): void {
    const before = remembered();
    this.dark = choice ?? (before ? before === 'dark' : wantsDark.matches);
    this.palette = palette(this.dark);
    const root = document.documentElement;
    root.dataset.theme = this.dark ? 'dark' : 'light';
    for (const [category, colour] of Object.entries({ ...this.palette.solid, ...this.palette.state })) {
      root.style.setProperty(`--${category}`, colour);
    }
    this.changed();
  }
}
