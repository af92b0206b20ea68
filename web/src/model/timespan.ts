// The part of a time line that is shown: microseconds [from, to), within those of the recording.

export interface Span {
  from: number;
  to: number;
}

const SHORTEST = 0.05; // us: less is not measured

// The same width, or the whole, where `within` is left.
export function inside({ from, to }: Span, within: Span): Span {
  const width = Math.min(Math.max(to - from, SHORTEST), within.to - within.from);
  const begin = Math.min(Math.max(from, within.from), within.to - width);
  return { from: begin, to: begin + width };
}

// By so much nearer (factor < 1) or farther, what is at `at` stays where it is.
export function zoomed(span: Span, at: number, factor: number, within: Span): Span {
  return inside({ from: at - (at - span.from) * factor, to: at + (span.to - at) * factor }, within);
}

export function moved(span: Span, by: number, within: Span): Span {
  return inside({ from: span.from + by, to: span.to + by }, within);
}

// With a margin on both sides.
export function around({ from, to }: Span, within: Span): Span {
  const margin = Math.max(to - from, SHORTEST) * 0.08;
  return inside({ from: from - margin, to: to + margin }, within);
}
