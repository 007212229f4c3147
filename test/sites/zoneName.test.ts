// Time zones by the names that they have now: the runtime's own list has some of decades ago.
import { expect, test } from 'vitest';
import { parseTimezone } from '../../server/sites/parseSite.ts';
import { OLDER_NAMES, zoneName } from '../../server/sites/zoneName.ts';
import { signIn } from '../console/support.ts';
import { openNewsroom } from '../support/newsroom.ts';

test('the console names the time zone of a site as it was said', async () => {
  const room = await openNewsroom({ now: Date.parse('2040-03-20T16:30:00Z'), timezone: parseTimezone('Europe/Kyiv')! });
  try {
    const { body } = await signIn(room.app, { site: room.site.id, secret: room.secret });
    expect(body.data.timezone).toBe('Europe/Kyiv');
  } finally {
    await room.close();
  }
});

test.each(['Europe/Kyiv', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Europe/Madrid', 'UTC'])(
  '%s is written as it was said',
  (name) => expect(zoneName(parseTimezone(name)!)).toBe(name),
);

test('each name of now is one that the runtime knows, of the same zone', () => {
  for (const [older, name] of Object.entries(OLDER_NAMES)) expect([name, parseTimezone(name)]).toEqual([name, older]);
});
