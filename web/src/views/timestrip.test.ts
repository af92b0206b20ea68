import { expect, test } from 'vitest';
import { Series, tickStep } from './timestrip';

function series(bucketUs: number, added: [bucket: number, weight: number, samples: number][]): number[] {
  const out = new Float64Array(6 * 2);
  const one = new Series(out, 2, 1, bucketUs);
  for (const [bucket, weight, samples] of added) one.add(bucket, weight, samples);
  one.finish();
  expect(out.filter((_, i) => i % 2 === 0).every((v) => v === 0)).toBe(true);
  return Array.from(out).filter((_, i) => i % 2 === 1);
}

test('CPU time is where its sample is', () => {
  expect(series(0, [[1, 5, 1], [1, 2, 1], [5, 3, 1]])).toEqual([0, 7, 0, 0, 0, 3]);
});

test('wall time is in the buckets that its sample stands for', () => {
  expect(series(10, [[2, 30, 1], [5, 30, 1]])).toEqual([10, 10, 10, 10, 10, 10]);
  expect(series(10, [[4, 40, 2]]), 'two samples, each of two buckets').toEqual([0, 0, 0, 20, 20, 0]);
  expect(series(10, [[1, 30, 1]]), 'it began before the recording').toEqual([10, 10, 0, 0, 0, 0]);
  expect(series(10, [[3, 25, 1]]), 'two buckets and a half').toEqual([0, 5, 10, 10, 0, 0]);
  expect(series(10, [[3, 2, 1]]), 'shorter than a bucket').toEqual([0, 0, 0, 2, 0, 0]);
});

test('what is known of a longer time is spread over it', () => {
  const spread = (isTime: boolean, bucket: number, weight: number, samples: number) => {
    const out = new Float64Array(6);
    const one = new Series(out, 1, 0, 10, 30, isTime);
    one.add(bucket, weight, samples);
    one.finish();
    return Array.from(out);
  };
  expect(spread(true, 4, 12, 1000)).toEqual([0, 0, 4, 4, 4, 0]);
  expect(spread(true, 5, 60, 1), 'a call that took longer').toEqual([10, 10, 10, 10, 10, 10]);
  expect(spread(false, 2, 3000, 3000)).toEqual([1000, 1000, 1000, 0, 0, 0]);
});

test('marks are as far apart as people count', () => {
  expect(tickStep(10e6, 10)).toBe(1e6);
  expect(tickStep(10e6, 7)).toBe(2e6);
});
