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
  private readonly runs = new Map<string, Forms>();

  // own: by name, where it begins behind its namespace; 0 where it is not known.
  constructor(
    private readonly names: string[],
    private readonly measure: (text: string) => number,
    private readonly own: ArrayLike<number> = [],
  ) {}

  fit(frame: number, width: number): string {
    return this.cut((this.cache[frame] ??= this.forms(shortForms(this.names[frame]!, this.own[frame]))), width);
  }

  // A name that is no frame's.
  fitText(text: string, width: number): string {
    let forms = this.runs.get(text);
    if (!forms) this.runs.set(text, (forms = this.forms([text])));
    return this.cut(forms, width);
  }

  clear(): void {
    this.cache = [];
    this.runs.clear();
  }

  private cut({ texts, widths }: Forms, width: number): string {
    for (let i = 0; i < texts.length; i++) if (widths[i]! <= width) return texts[i]!;
    const last = texts[texts.length - 1]!;
    const letters = Math.floor((width / widths[widths.length - 1]!) * last.length) - 1;
    return letters >= SHORTEST ? last.slice(0, letters) + CUT : '';
  }

  private forms(texts: string[]): Forms {
    return { texts, widths: texts.map(this.measure) };
  }
}
