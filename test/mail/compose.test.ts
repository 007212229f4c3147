// Where the links of mails lead.
import { expect, test } from 'vitest';
import { toMail } from '../../server/mail/compose.ts';
import type { SiteId } from '../../server/sites/site.ts';

test.each([
  ['UTC', '2040-03-20'],
  ['Pacific/Kiritimati', '2040-03-21'],
  ['Pacific/Honolulu', '2040-03-19'],
])('an alarm of a site in %s leads to the day that its clock showed', (zone, day) => {
  const message = {
    ...{ site: 'paper.example' as SiteId, id: 'msg_1', kind: 'alarm.silent', text: 'paper.example: no view' },
    at: Date.parse(zone === 'Pacific/Honolulu' ? '2040-03-20T09:59:00Z' : '2040-03-20T10:00:00Z'),
    data: { views: 0, expected: 30, usual: { median: 30, low: 30, high: 30 } },
  };
  const of = { to: 'anna@reader.example', recipient: 'anna', domain: 'sender.example', unsubscribe: undefined, zone };
  const { text, html } = toMail(message, { ...of, publicUrl: 'https://stats.example' });
  const address = `https://stats.example/console/site/paper.example/?period=own&from=${day}&to=${day}`;
  expect(text).toContain(`In the console: ${address}\n`);
  expect(html).toContain(`href="${address.replaceAll('&', '&amp;')}"`);
});
