// When a site wants silence: by its own clock, also over midnight and where clocks change.
import { expect, test } from 'vitest';
import { isQuiet, parseQuietHours } from '../../server/sites/alarmSettings.ts';

test.each([
  ['23:00-06:00', '2040-01-10T22:59:59', false],
  ['23:00-06:00', '2040-01-10T23:00:00', true],
  ['23:00-06:00', '2040-01-11T00:00:00', true],
  ['23:00-06:00', '2040-01-11T05:59:59', true],
  ['23:00-06:00', '2040-01-11T06:00:00', false],
  ['23:00-06:00', '2040-01-11T12:00:00', false],
  ['09:30-17:00', '2040-01-11T09:29:59', false],
  ['09:30-17:00', '2040-01-11T09:30:00', true],
  ['09:30-17:00', '2040-01-11T16:59:59', true],
  ['09:30-17:00', '2040-01-11T17:00:00', false],
  ['00:00-06:00', '2040-01-11T00:00:00', true],
  ['18:00-00:00', '2040-01-10T23:59:59', true],
  ['18:00-00:00', '2040-01-11T00:00:00', false],
])('of the quiet hours %s, %s is one: %s', (hours, local, expected) => {
  // An hour ahead of UTC.
  const now = Date.parse(`${local}Z`) - 3_600_000;
  expect(isQuiet(parseQuietHours(hours), now, 'Europe/Berlin')).toBe(expected);
});

test('they follow the clock of the site where it changes, and none are quiet without any', () => {
  const quiet = parseQuietHours('23:00-06:00');
  const spring = (utc: string) => isQuiet(quiet, Date.parse(`2040-03-25T${utc}Z`), 'Europe/Berlin');
  expect([spring('03:59:00'), spring('04:00:00')]).toEqual([true, false]);
  expect(isQuiet(undefined, 0, 'Europe/Berlin')).toBe(false);
});
