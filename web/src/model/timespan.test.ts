import { describe, expect, it } from 'vitest';
import { around, inside, moved, zoomed } from './timespan';

const whole = { from: 0, to: 1000 };

describe('a part of a time line', () => {
  it('stays within the recording', () => {
    expect(inside({ from: -50, to: 50 }, whole)).toEqual({ from: 0, to: 100 });
    expect(inside({ from: 950, to: 1050 }, whole)).toEqual({ from: 900, to: 1000 });
    expect(inside({ from: -500, to: 5000 }, whole)).toEqual(whole);
  });

  it('keeps in place what it is zoomed at', () => {
    const near = zoomed(whole, 250, 0.5, whole);
    expect(near).toEqual({ from: 125, to: 625 });
    expect((250 - near.from) / (near.to - near.from)).toBeCloseTo(0.25);
    expect(zoomed(near, 250, 2, whole)).toEqual(whole);
  });

  it('moves, and has a margin around what it is about', () => {
    expect(moved({ from: 100, to: 200 }, 50, whole)).toEqual({ from: 150, to: 250 });
    expect(moved({ from: 900, to: 1000 }, 50, whole)).toEqual({ from: 900, to: 1000 });
    expect(around({ from: 500, to: 600 }, whole)).toEqual({ from: 492, to: 608 });
  });

  it('does not get shorter than what is measured', () => {
    const { from, to } = inside({ from: 5, to: 5 }, whole);
    expect(to - from).toBeGreaterThan(0);
  });
});
