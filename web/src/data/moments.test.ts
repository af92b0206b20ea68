import { expect, test } from 'vitest';
import { begin, momentAt, neighbour, nextLane, NO_MOMENTS, type Moments } from './moments';

const lane = { name: 'gc', shown: 0, leftOut: 0, sums: 0, labels: [] };
const moments: Moments = {
  ...NO_MOMENTS,
  lanes: [lane, lane, lane, lane],
  end: Float64Array.from([10, 40, 41, 90]),
  took: Float64Array.from([0, 20, 2, 0]),
  lane: Uint8Array.from([3, 0, 0, 0]),
};

test('of several moments at a place the longest is meant', () => {
  expect(momentAt(moments, 0, 39, 50)).toBe(1);
  expect(momentAt(moments, 0, 40.5, 50)).toBe(2);
  expect(momentAt(moments, 0, 21, 22)).toBe(1);
});

test('a moment without a length is where it ends', () => {
  expect(momentAt(moments, 0, 89, 91)).toBe(3);
  expect(momentAt(moments, 0, 91, 95)).toBe(-1);
  expect(momentAt(moments, 3, 0, 20)).toBe(0);
});

test('neighbours are of the same lane', () => {
  expect(neighbour(moments, 1, 1)).toBe(2);
  expect(neighbour(moments, 1, -1)).toBe(-1);
  expect(neighbour(moments, 3, 1)).toBe(-1);
});

test('a lane without moments is passed by', () => {
  expect(nextLane(moments, -1, 1)).toBe(1);
  expect(nextLane(moments, 0, 1)).toBe(0);
  expect(nextLane(moments, 3, -1)).toBe(1);
  expect(nextLane(moments, 3, 1)).toBe(-1);
});

test('nothing begins before the recording', () => {
  expect(begin({ ...moments, took: Float64Array.from([30, 20, 2, 0]) }, 0)).toBe(0);
  expect(begin(moments, 1)).toBe(20);
});
