// The form of a name that fits into so many pixels. Widths are measured once per name and form.
import { shortForms } from './text';

const CUT = '…';
const SHORTEST = 3; // fewer letters say nothing

interface Forms {
  texts: string[];
  widths: number[];
}

export class Labels {
  private cache: (Forms | undefined)[] = [];

  constructor(
    private readonly names: string[],
    private readonly measure: (text: string) => number,
  ) {}

  fit(frame: number, width: number): string {
    const { texts, widths } = (this.cache[frame] ??= this.forms(frame));
    for (let i = 0; i < texts.length; i++) if (widths[i]! <= width) return texts[i]!;
    const last = texts[texts.length - 1]!;
    const letters = Math.floor((width / widths[widths.length - 1]!) * last.length) - 1;
    return letters >= SHORTEST ? last.slice(0, letters) + CUT : '';
  }

  clear(): void {
    this.cache = [];
  }

  private forms(frame: number): Forms {
    const texts = shortForms(this.names[frame]!);
    return { texts, widths: texts.map(this.measure) };
  }
}
