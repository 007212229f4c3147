// When the morning page comes to those who were added while others had it, and on days on which clocks change.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { morningId, untilFor, untilOfMorning } from '../../server/messages/subscribers.ts';
import { type MailRecipient, TOPICS } from '../../server/sites/mail.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { type MailRoom, openMailRoom, startMailing } from '../support/mailing.ts';
import { replaceSite } from '../support/replaceSite.ts';

const MINUTE = 60_000;
const MIDNIGHT = Date.parse('2040-03-20T00:00:00Z');

let of: MailRoom;
let number = 0;
beforeAll(async () => {
  of = await openMailRoom();
});
afterAll(() => of?.close());
beforeEach(() => {
  of.mails.taken.length = 0;
  number += 1;
});

const recipient = (name: string, own: Pick<MailRecipient, 'morning' | 'since'>): MailRecipient => ({
  ...{ id: `${name}-${number}`, address: `${name}@reader.example`, gets: TOPICS },
  ...own,
});

/** What came at a time of the day, in minutes from midnight. */
async function comesAt(minutes: number): Promise<string[]> {
  const { room, mails } = of;
  room.setNow(MIDNIGHT + minutes * MINUTE);
  await startMailing(room, mails).tick();
  return mails.taken.splice(0).flatMap(({ to }) => to);
}

test.each([
  ['before its time of the page', 8 * 60 - 5, ['anna@reader.example']],
  ['after its time of the page', 8 * 60 + 5, []],
])('a recipient who is added %s, while others have the page', async (_, added, comes) => {
  const early = recipient('ben', { morning: 6 * 60, since: 0 });
  const site: Site = { ...of.room.site, id: parseSiteId(`times-${number}.example`)!, mail: [early] };
  await of.room.deps.sites.add(site);
  expect(await comesAt(6 * 60)).toEqual(['ben@reader.example']);
  const late = recipient('anna', { morning: 8 * 60, since: MIDNIGHT + added * MINUTE });
  await replaceSite(of.room.deps.sites, { ...site, mail: [early, late] });
  expect(await comesAt(added)).toEqual([]);
  expect(await comesAt(8 * 60 + 10)).toEqual(comes);
  expect(await comesAt(8 * 60 + 20)).toEqual([]);
  await replaceSite(of.room.deps.sites, { ...site, mail: [] });
});

test('a recipient who is added when others have had the page all morning has it at a time of the afternoon', async () => {
  const early = recipient('ben', { morning: 6 * 60, since: 0 });
  const site: Site = { ...of.room.site, id: parseSiteId(`times-${number}.example`)!, mail: [early] };
  await of.room.deps.sites.add(site);
  expect(await comesAt(6 * 60)).toEqual(['ben@reader.example']);
  const late = recipient('anna', { morning: 15 * 60, since: MIDNIGHT + 11 * 60 * MINUTE });
  await replaceSite(of.room.deps.sites, { ...site, mail: [early, late] });
  expect(await comesAt(14 * 60 + 50)).toEqual([]);
  expect(await comesAt(15 * 60 + 10)).toEqual(['anna@reader.example']);
  expect(await comesAt(15 * 60 + 20)).toEqual([]);
  await replaceSite(of.room.deps.sites, { ...site, mail: [] });
});

test('a page that is made for the afternoon is not sent to those whose morning is six hours ago', async () => {
  const times = { ben: 6 * 60, anna: 13 * 60, carla: 8 * 60 };
  const mail = Object.entries(times).map(([name, morning]) => recipient(name, { morning, since: 0 }));
  const site: Site = { ...of.room.site, id: parseSiteId(`times-${number}.example`)!, mail };
  await of.room.deps.sites.add(site);
  // The server did not run until now.
  expect(await comesAt(13 * 60 + 5)).toEqual(['anna@reader.example', 'carla@reader.example']);
  await replaceSite(of.room.deps.sites, { ...site, mail: [] });
});

test.each([
  ['of 23 hours', '2040-03-25T01:00:00+01:00', '2040-03-25T18:00:00+02:00'],
  ['of 25 hours', '2040-10-28T01:00:00+02:00', '2040-10-28T18:00:00+01:00'],
  ['as others are', '2040-10-30T01:00:00+01:00', '2040-10-30T18:00:00+01:00'],
])('the page of a day %s is tried again for six hours after the time of its receiver', (_, made, until) => {
  const site: Site = { ...of.room.site, timezone: 'Europe/Madrid' };
  const at = Date.parse(made);
  const page = { site: site.id, id: morningId(site, at), kind: 'digest.morning', at, text: '', data: {} };
  const last = untilFor(site, { ...page, until: untilOfMorning(site, at) }, 12 * 60);
  expect(new Date(last).toISOString()).toBe(new Date(until).toISOString());
});
