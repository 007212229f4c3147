// Addresses of SMTP servers, and that credentials are not sent in the clear.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createMailer } from '../../server/mail/mailer.ts';
import { isThisMachine, parseSmtpUrl } from '../../server/mail/smtpServer.ts';

test.each([
  ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false }],
  ['smtps://mail.example/', { host: 'mail.example', port: 465, secure: true }],
  ['smtp://[::1]:25', { host: '::1', port: 25, secure: false }],
  [
    'smtps://a%40b:p%2Fw@mail.example',
    { host: 'mail.example', port: 465, secure: true, auth: { user: 'a@b', pass: 'p/w' } },
  ],
])('%s is a server', (text, server) => {
  expect(parseSmtpUrl(text)).toEqual(server);
});

test.each([
  '',
  'mail.example',
  'http://mail.example',
  'smtp://',
  'smtp://user@mail.example',
  'smtp://mail.example/path',
  'smtp://mail.example?pool=true',
  'smtp://u:%E0%A4%A@mail.example',
])('%j is none', (text) => {
  expect(parseSmtpUrl(text)).toBeUndefined();
});

test('only addresses that lead nowhere else are this machine', () => {
  const of = (host: string) => isThisMachine({ host, port: 25, secure: false });
  expect(['localhost', '127.0.0.1', '127.1.2.3', '::1'].map(of)).toEqual([true, true, true, true]);
  expect(['127.0.0.1.example', 'localhost.example', '10.0.0.1'].map(of)).toEqual([false, false, false]);
});

test('a password is not sent unencrypted to a server that offers no TLS', async () => {
  const said: string[] = [];
  const server = createServer((socket) => {
    socket.write('220 mail.example\r\n');
    socket.on('data', (bytes) => {
      said.push(String(bytes));
      socket.write(/^EHLO/.test(String(bytes)) ? '250-mail.example\r\n250 AUTH PLAIN LOGIN\r\n' : '502 not known\r\n');
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // Another name of this machine, which the mailer takes for another one.
  const host = '0.0.0.0';
  const { port } = server.address() as AddressInfo;
  const mailer = createMailer({
    server: { host, port, secure: false, auth: { user: 'me', pass: 'hidden-word' } },
    from: { name: '', address: 'a@b.example' },
    now: () => 0,
  });
  const mail = { to: 'c@d.example', messageId: '<1@b.example>', subject: 's', text: 't', html: 'h', headers: {} };
  expect(await mailer.send(mail)).toMatchObject({ isFinal: false });
  expect(said.join('')).toMatch(/^EHLO/);
  expect(said.join('')).not.toMatch(/AUTH|hidden-word/);
  await new Promise((done) => server.close(done));
});
