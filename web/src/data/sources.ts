// Source lines of frames, and the text of their files as far as the page has it.

// Where in the sources a node is: on one of these lines.
export interface Place {
  document: number;
  lines: number[]; // rising
  sure: boolean; // it is the one there is
  first: number; // of the lines of its method; 0: not known
  last: number;
}

export interface SourceDocument {
  path: string;
  url: string; // by SourceLink; empty: none
  note: string; // what of its text is not here, and why
  lines: number; // of the whole file; 0: not known
  text: Map<number, string>; // by line
}

export interface Sources {
  documents: SourceDocument[];
  places: Place[]; // the first stands for none
  ofNode: Uint32Array; // by node: index into places
}

const NO_PLACE: Place = { document: -1, lines: [], sure: false, first: 0, last: 0 };
export const NO_SOURCES: Sources = { documents: [], places: [NO_PLACE], ofNode: new Uint32Array() };

// As the payload has them.
export interface WrittenDocument {
  path: string;
  url: string;
  note: string;
  lines: number;
  text: { first: number; text: string }[];
}

// clean: writes out characters that could garble what is read. Tabs stay.
function textOf(pieces: WrittenDocument['text'], clean: (text: string) => string): Map<number, string> {
  const lines = new Map<number, string>();
  for (const { first, text } of pieces) {
    text.split('\n').slice(0, -1).forEach((line, i) => lines.set(first + i, line.split('\t').map(clean).join('\t')));
  }
  return lines;
}

// column: of that name, every value below the limit.
export function readSources(
  written: WrittenDocument[],
  nodes: number,
  column: (name: string, limit?: number) => Float64Array,
  clean: (text: string) => string,
): Sources {
  const documents = written.map(({ path, url, note, lines, text }) => ({
    path: clean(path),
    url: clean(url),
    note: clean(note),
    lines,
    text: textOf(text, clean),
  }));
  const [document, sure, first, last] = [
    column('place.document', documents.length),
    column('place.sure', 2),
    column('place.first'),
    column('place.last'),
  ];
  const line = column('place.line');
  const places = [NO_PLACE];
  let at = 0;
  column('place.lines', line.length + 1).forEach((count, i) => {
    const lines = Array.from(line.subarray(at, (at += count)));
    if (lines.length !== count || count === 0) throw new Error('a place of the report has no line');
    places.push({ document: document[i]!, lines, sure: sure[i] === 1, first: first[i]!, last: last[i]! });
  });
  const ofNode = Uint32Array.from(column('node.place', places.length));
  if (ofNode.length !== nodes) throw new Error('the places of the report are cut short');
  return { documents, places, ofNode };
}

const MOST_LISTED = 4;

// "22", "22 or 23", "22, 23 or 25", "22 to 40" (one of those), "22 or near": as profile/names/place_text.h has it.
export function linesText({ lines, sure }: Pick<Place, 'lines' | 'sure'>): string {
  const last = lines[lines.length - 1]!;
  if (lines.length === 1) return sure ? `${last}` : `${last} or near`;
  if (lines.length > MOST_LISTED) return `${lines[0]!} to ${last}`;
  return `${lines.slice(0, -1).join(', ')} or ${last}`;
}

export const fileName = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

// "Program.cs:22 or 23"; empty: nothing is known.
export function placeText(sources: Sources, place: number): string {
  if (place === 0) return '';
  const of = sources.places[place]!;
  return `${fileName(sources.documents[of.document]!.path)}:${linesText(of)}`;
}
