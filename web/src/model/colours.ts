// Colours: one category per frame (its kind, or GC or JIT where it is of the collector's or the compiler's library), a
// few shades of each so that neighbours differ, for the light and the dark theme. A function has the same colour
// wherever it is, whatever is chosen.
import { KINDS, STATES, type Frames } from '../data/data';

export const CATEGORIES = ['managed', 'native', 'runtime', 'stub', 'other', 'gc', 'jit'] as const;
export type Category = (typeof CATEGORIES)[number];
export const SHADES = 5;

type Hsl = readonly [hue: number, saturation: number, lightness: number];
type Colours = Record<Category, Hsl>;

const LIGHT: Colours = {
  managed: [214, 80, 80],
  native: [160, 42, 74],
  runtime: [228, 16, 82],
  stub: [42, 36, 80],
  other: [220, 6, 89],
  gc: [8, 82, 81],
  jit: [275, 58, 85],
};
const DARK: Colours = {
  managed: [215, 46, 37],
  native: [162, 38, 28],
  runtime: [226, 13, 34],
  stub: [42, 24, 31],
  other: [220, 5, 27],
  gc: [6, 48, 40],
  jit: [275, 32, 42],
};

export interface Palette {
  box: string[]; // CATEGORIES × SHADES
  faded: string[]; // the same for boxes that are not searched for
  match: string[]; // SHADES of the search colour
  text: string;
  fadedText: string;
  matchText: string;
  select: string;
  hover: string;
  solid: Record<Category, string>; // for thin bars and dots
  state: Record<(typeof STATES)[number], string>;
  axis: string;
  faint: string;
}

const hsl = (h: number, s: number, l: number, a = 1) => `hsl(${h} ${s}% ${l}%${a < 1 ? ` / ${a}` : ''})`;

function shades([h, s, l]: Hsl, fade: (colour: Hsl) => Hsl): string[] {
  return Array.from({ length: SHADES }, (_, i) => hsl(...fade([h, s, l + (i - (SHADES - 1) / 2) * 1.6])));
}

export function palette(dark: boolean): Palette {
  const colours = dark ? DARK : LIGHT;
  const same = (c: Hsl) => c;
  const faded = ([h, s, l]: Hsl): Hsl => (dark ? [h, s * 0.45, 14 + l * 0.2] : [h, s * 0.5, 97 - (100 - l) * 0.24]);
  const all = (fade: (c: Hsl) => Hsl) => CATEGORIES.flatMap((c) => shades(colours[c], fade));
  const solid = Object.fromEntries(
    CATEGORIES.map((c) => {
      const [h, s, l] = colours[c];
      return [c, dark ? hsl(h, s + 6, l + 17) : hsl(h, Math.max(s - 12, 6), l - 20)];
    }),
  ) as Record<Category, string>;
  return {
    box: all(same),
    faded: all(faded),
    match: shades(dark ? [44, 80, 52] : [45, 96, 58], same),
    text: dark ? 'hsl(220 25% 93%)' : 'hsl(222 40% 13%)',
    fadedText: dark ? 'hsl(220 8% 58%)' : 'hsl(220 8% 46%)',
    matchText: 'hsl(40 60% 9%)',
    select: dark ? 'hsl(0 0% 100%)' : 'hsl(222 60% 16%)',
    hover: dark ? 'hsl(0 0% 100% / 0.14)' : 'hsl(0 0% 0% / 0.09)',
    solid,
    state: {
      running: dark ? hsl(140, 42, 46) : hsl(140, 45, 46),
      runnable: dark ? hsl(36, 72, 56) : hsl(36, 85, 54),
      blocked: dark ? hsl(212, 16, 48) : hsl(212, 20, 70),
    },
    axis: dark ? 'hsl(220 8% 62%)' : 'hsl(220 8% 42%)',
    faint: dark ? 'hsl(220 8% 24%)' : 'hsl(220 14% 91%)',
  };
}

const LIBRARIES: readonly [name: string, category: Category][] = [
  ['libclrgc', 'gc'],
  ['clrgc', 'gc'],
  ['libclrjit', 'jit'],
  ['clrjit', 'jit'],
];

// Which colour each frame has.
export function categories(frames: Frames): Uint8Array {
  return frames.kind.map((kind, i) => {
    const library = KINDS[kind] === 'runtime' && LIBRARIES.find(([name]) => frames.module[i]!.startsWith(name));
    return library ? CATEGORIES.indexOf(library[1]) : kind;
  });
}

// Which shade each name has.
export function shadesOf(names: string[]): Uint8Array {
  return Uint8Array.from(names, (name) => {
    let hash = 7;
    for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) | 0;
    return (hash >>> 3) % SHADES;
  });
}
