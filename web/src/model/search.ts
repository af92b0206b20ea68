// Search over names: which frames match, and the share of CPU time under them.
import type { Frames, Tree } from '../data/data';
import type { VisibleTree } from './aggregate';
import type { Boxes } from './layout';

export interface Query {
  text: string;
  regex: boolean;
}

export interface Matches {
  frames: Uint8Array; // per frame: 1 = matches
  boxes: number[]; // topmost matching boxes in the searched part, heaviest first
  weight: number; // their CPU time; nested matches count once
  inRuns: boolean; // some matching frames are in folded runs there, which are called otherwise
}

// A test for names, ignoring case. Throws what RegExp throws on a malformed expression.
export function matcher(query: Query): (text: string) => boolean {
  if (query.regex) {
    const expression = new RegExp(query.text, 'i');
    return (text) => expression.test(text);
  }
  const wanted = query.text.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}

// Readable and raw names count.
export function matchFrames(frames: Frames, query: Query): Uint8Array {
  const test = matcher(query);
  return Uint8Array.from(frames.name, (name, i) => Number(test(name) || test(frames.raw[i]!)));
}

// Matches in the subtree of box `top`.
// whole: the report's tree, which `tree` is of.
export function findMatches(tree: VisibleTree, whole: Tree, boxes: Boxes, frames: Uint8Array, top: number): Matches {
  const inside = new Uint8Array(boxes.count); // in the subtree of top
  const covered = new Uint8Array(boxes.count); // at or below a match
  const found: number[] = [];
  let weight = 0;
  for (let box = top; box < boxes.count; box++) {
    const up = boxes.parent[box]!;
    if (box !== top && !inside[up]) continue;
    inside[box] = 1;
    if (box !== top && covered[up]) {
      covered[box] = 1;
    } else if (box !== 0 && frames[tree.frame[boxes.node[box]!]!]) {
      covered[box] = 1;
      found.push(box);
      weight += boxes.total[box]!;
    }
  }
  found.sort((a, b) => boxes.total[b]! - boxes.total[a]! || a - b);
  const inRuns = whole.frame.some((frame, node) => {
    const run = tree.map[node]!;
    return node > 0 && frames[frame] === 1 && tree.folded[run]! > 0 && inside[boxes.boxOf[run]!] === 1;
  });
  return { frames, boxes: found, weight, inRuns };
}
