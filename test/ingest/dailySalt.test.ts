// The salt of the day: the same all day, also after a restart; gone when the day is.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDailySalt } from '../../server/ingest/salts/dailySalt.ts';
import { type Scratch, scratch } from '../storage/scratch.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const HOUR = 3600_000;

let place: Scratch;
let file: string;
beforeEach(() => {
  place = scratch();
  file = join(place.dir, 'ingest', 'salt');
});
afterEach(() => place.remove());

test('is the same all day, and another one the next', () => {
  const salt = createDailySalt();
  expect(salt(noon)).toMatch(/^[0-9a-f]{64}$/);
  expect(salt(noon + 11 * HOUR)).toBe(salt(noon - 12 * HOUR));
  const friday = salt(noon);
  expect(salt(noon + 12 * HOUR)).not.toBe(friday);
});

test('outlives a restart, in a file only its owner reads', () => {
  const before = createDailySalt(file)(noon);
  expect(createDailySalt(file)(noon + HOUR)).toBe(before);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('leaves no trace on the disk once its day is over', () => {
  const salt = createDailySalt(file);
  const friday = salt(noon);
  const saturday = salt(noon + 24 * HOUR);
  const everything = readdirSync(join(place.dir, 'ingest')).map((name) =>
    readFileSync(join(place.dir, 'ingest', name), 'utf8'),
  );
  expect(everything.join()).toContain(saturday);
  expect(everything.join()).not.toContain(friday);
  // Nor does a process that starts on the day after read it.
  expect(createDailySalt(file)(noon + 48 * HOUR)).not.toBe(saturday);
});

test('is made anew when its file is damaged', () => {
  const first = createDailySalt(file)(noon);
  writeFileSync(file, first);
  expect(createDailySalt(file)(noon)).not.toBe(first);
});

test.each([
  ['forward over midnight and back within the hour', [22, 27, 22], [0, 0.5, 0.6], [0, 1, 0]],
  ['back over midnight, and forward as time goes on', [26, 21, 23, 24, 26], [0, 0.1, 2, 3, 5], [0, 0, 0, 0, 0]],
  ['forward over midnight and back after the hour', [22, 27, 22, 24], [0, 0.5, 5, 7], [0, 1, 1, 1]],
] as const)('with the clock set %s, visitors keep the salt they had', (_, hours, passed, expected) => {
  let clock = 0;
  const salt = createDailySalt(file, () => clock * HOUR);
  const midnight = noon - 12 * HOUR;
  const salts = hours.map((hour, step) => {
    clock = passed[step]!;
    return salt(midnight + hour * HOUR);
  });
  const known = [...new Set(salts)];
  expect(salts.map((one) => known.indexOf(one))).toEqual(expected);
  // A restart continues with the last.
  expect(createDailySalt(file)(midnight + hours.at(-1)! * HOUR)).toBe(salts.at(-1));
});
