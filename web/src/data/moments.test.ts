import { expect, test } from 'vitest';
import { firstOf, momentAt, neighbour, NO_MOMENTS, type Moments } from './moments';

const lane = { name: 'gc', shown: 0, leftOut: 0, sums: 0, labels: [] };
const moments: Moments = {
  ...NO_MOMENTS,
  lanes: [lane, lane],
  end: Float64Array.from([10, 40, 41, 90]),
  took: Float64Array.from([0, 20, 2, 0]),
  lane: Uint8Array.from([1, 0, 0, 0]),
};

test('of several moments at a place the longest is meant', () => {
  expect(momentAt(moments, 0, 39, 50)).toBe(1);
  expect(momentAt(moments, 0, 40.5, 50)).toBe(2);
  expect(momentAt(moments, 0, 21, 22)).toBe(1);
});

test('a moment without a length is where it ends', () => {
  expect(momentAt(moments, 0, 89, 91)).toBe(3);
  expect(momentAt(moments, 0, 91, 95)).toBe(-1);
  expect(momentAt(moments, 1, 0, 20)).toBe(0);
});

test('neighbours are of the same lane', () => {
  expect(firstOf(moments, 0)).toBe(1);
  expect(neighbour(moments, 1, 1)).toBe(2);
  expect(neighbour(moments, 1, -1)).toBe(-1);
  expect(neighbour(moments, 3, 1)).toBe(-1);
});
