// What is not relevant is not shown: below a stranger nothing, below a site's own posts something.
import { describe, expect, test } from 'vitest';
import { floorOf, floorOfYoung } from '../../bench/related/floors.ts';
import { readSite } from '../../bench/related/sites.ts';

describe('strangers are answered with nothing and own posts with something, 95 of 100 times', () => {
  test.each([
    ['a site of five hundred posts', floorOf],
    ['a site of fifty posts', floorOfYoung],
  ])('in %s', (_, floor) => {
    const { empty, answered } = floor(readSite('18f'));
    expect(empty).toBeGreaterThan(0.95);
    expect(answered).toBeGreaterThan(0.95);
  });
});
