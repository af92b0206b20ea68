// The runtime's events one by one: what the lanes over the time line show.

export interface Lane {
  name: string; // of the event
  shown: number;
  leftOut: number; // shorter ones, or some of those without a length
  sums: number; // samples that are sums: when their events were is not known
  labels: string[]; // what each label is called
}

// By time. Several arrays of one length.
export interface Moments {
  lanes: Lane[];
  end: Float64Array; // microseconds
  took: Float64Array; // microseconds; 0: it has no length
  lane: Uint8Array;
  thread: Uint32Array;
  node: Uint32Array;
  set: Uint32Array; // index into sets
  sets: string[][];
}

export const NO_MOMENTS: Moments = {
  lanes: [],
  end: new Float64Array(),
  took: new Float64Array(),
  lane: new Uint8Array(),
  thread: new Uint32Array(),
  node: new Uint32Array(),
  set: new Uint32Array(),
  sets: [],
};

// When it began: of one that is older than the recording, with that.
export const begin = (moments: Moments, i: number): number => Math.max(0, moments.end[i]! - moments.took[i]!);

// The longest that can be; the columns of lanes find an event by its end, and may look this far ahead.
export const longest = (moments: Moments): number => moments.took.reduce((a, b) => Math.max(a, b), 0);

// The moment that is meant at [from, to] microseconds of a lane: the longest that is there; of equals the first. -1: none.
export function momentAt(moments: Moments, lane: number, from: number, to: number): number {
  let best = -1;
  for (let i = 0; i < moments.end.length; i++) {
    if (moments.lane[i] !== lane || moments.end[i]! < from || moments.end[i]! - moments.took[i]! > to) continue;
    if (best < 0 || moments.took[i]! > moments.took[best]!) best = i;
  }
  return best;
}

// The next of the same lane, or the one before. -1: there is none.
export function neighbour(moments: Moments, from: number, by: 1 | -1): number {
  for (let i = from + by; i >= 0 && i < moments.end.length; i += by) if (moments.lane[i] === moments.lane[from]) return i;
  return -1;
}

// The first of the next lane that has any, or of the one before. -1: there is none.
export function nextLane(moments: Moments, lane: number, by: 1 | -1): number {
  for (let i = lane + by; i >= 0 && i < moments.lanes.length; i += by) {
    const first = moments.lane.indexOf(i);
    if (first >= 0) return first;
  }
  return -1;
}
