// What `afterword doctor` says of the public address: each cause by its name, with its own remedy.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { examineForwarding, examinePublicAddress } from '../../server/cli/doctor/publicAddress.ts';
import { certificate, key } from '../support/certificate.ts';
import { freePorts } from '../support/ports.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

const serving = (status: number, body = '') =>
  listen(createServer(((_, answer) => answer.writeHead(status).end(body)) satisfies RequestListener));

const cases: [what: string, url: () => Promise<string>, says: string, remedy: string][] = [
  ['nothing listens', async () => `http://127.0.0.1:${(await freePorts(1))[0]}`, 'connection is refused', 'proxy up'],
  ['a name without a record', async () => 'https://stats.afterword.invalid', 'name', 'DNS'],
  [
    'a certificate of an unknown authority',
    async () => `https://localhost:${await listen(createTlsServer({ cert: certificate, key }))}`,
    'its certificate is of an authority that this machine does not know',
    'NODE_EXTRA_CA_CERTS',
  ],
  [
    'plain HTTP where TLS is said',
    async () => `https://127.0.0.1:${await serving(200)}`,
    'does not answer with TLS',
    'listen 443 ssl',
  ],
  [
    'a connection that is closed',
    async () => `http://127.0.0.1:${await listen(createTcpServer((socket) => socket.destroy()))}`,
    'closed without an answer',
    'log of the proxy',
  ],
  ['a proxy without its server', async () => `http://127.0.0.1:${await serving(502)}`, 'status 502', 'upstream'],
  ['a proxy that wants a password', async () => `http://127.0.0.1:${await serving(401)}`, 'status 401', 'everyone'],
  [
    'a path that is not passed on',
    async () => `http://127.0.0.1:${await serving(404)}`,
    'status 404',
    'pass requests on',
  ],
  [
    'a page of another program',
    async () => `http://127.0.0.1:${await serving(200, '<h1>It works!</h1>')}`,
    'another program',
    'name',
  ],
];
test.each(cases)('%s', async (_, url, says, remedy) => {
  expect(await examinePublicAddress(await url())).toMatchObject({
    state: 'problem',
    says: expect.stringContaining(says),
    remedy: expect.stringContaining(remedy),
  });
});

test('a server that answers is well', async () => {
  expect(await examinePublicAddress(`http://127.0.0.1:${await serving(200, '{"alive":true}')}`)).toMatchObject({
    state: 'ok',
  });
});

test.each([
  ['no proxy and no header', { trustedProxies: 0, requests: 9, ignored: 0, short: 0 }, undefined],
  ['a header now and then, as a client may write', { trustedProxies: 0, requests: 9, ignored: 4, short: 0 }, undefined],
  [
    'a header on most, none believed',
    { trustedProxies: 0, requests: 9, ignored: 5, short: 0 },
    '--trusted-proxies is 0',
  ],
  ['fewer entries than proxies', { trustedProxies: 2, requests: 9, ignored: 0, short: 9 }, 'fewer than 2 entries'],
])('%s', (_, counts, says) => {
  expect(examineForwarding(counts).map((finding) => finding.says.includes(says ?? ''))).toEqual(says ? [true] : []);
});
