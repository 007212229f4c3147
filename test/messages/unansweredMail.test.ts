// A mail server that takes a mail and does not say so: its readers get the mail once.
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { TOPICS } from '../../server/sites/mail.ts';
import { openMailRoom, startMailing } from '../support/mailing.ts';

const HOUR = 3_600_000;

test('a mail that was handed over whole, and not answered, is not mailed twice, and the log says that it is not known', async () => {
  const of = await openMailRoom();
  try {
    const { room, mails } = of;
    const { store, sites, now } = room.deps;
    const { id: site } = room.site;
    const lines: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
    const to = { id: 'recipient', address: 'anna@reader.example', gets: TOPICS, morning: 23 * 60, since: 0 };
    await sites.change(site, (current) => ({ ...current, mail: [to] }));
    const message = {
      site,
      id: 'msg_ended',
      kind: 'experiment.ended',
      at: now(),
      text: 'ended',
      until: now() + 24 * HOUR,
    };
    await store.messages.save({ ...message, data: { experiment: 'grid' } });

    mails.answers = false;
    await startMailing(room, mails, { log }).delivery.tick();
    mails.answers = true;
    for (let hour = 0; hour < 3; hour++) {
      room.setNow(now() + HOUR);
      await startMailing(room, mails, { log }).delivery.tick();
    }
    expect(mails.taken).toHaveLength(1);
    expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)).toMatchObject([
      { site, why: expect.stringContaining('closed'), msg: expect.stringMatching(/is not known.*not sent again/) },
    ]);
    const [attempt] = await store.messages.lastAttempts(site, 0);
    expect(attempt).toMatchObject({ attempt: 1, outcome: 'unknown' });
  } finally {
    await of.close();
  }
});
