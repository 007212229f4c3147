// What stands in front: `doctor` behind each of the shipped examples, and those examples in the proxies they are for, where this
// machine has them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { certificate, key } from '../support/certificate.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { freePorts } from '../support/ports.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  findProgram,
  hiddenPaths,
  readShipped,
  startProxy,
  tryProgram,
  writeNginx,
} from '../support/shippedProxies.ts';

const nginx = findProgram('nginx');
const caddy = findProgram('caddy');

let server: TestServer;
let proxy: Server;
let publicUrl: string;
let certificateFile: string;

/** A proxy with TLS that keeps from readers what the shipped examples keep from them, and passes on the rest. */
beforeAll(async () => {
  const hidden = [...hiddenPaths().nginx, ...hiddenPaths().caddy];
  proxy = createServer({ cert: certificate, key }, (asked, answer) => {
    const path = asked.url!.split('?')[0]!;
    if (hidden.includes(path)) return void answer.writeHead(404).end();
    const headers = { ...asked.headers, 'x-forwarded-for': '203.0.113.9' };
    const passed = request(server.url + asked.url, { method: asked.method!, headers }, (given) => {
      answer.writeHead(given.statusCode!, given.headers);
      given.pipe(answer);
    });
    asked.pipe(passed);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  publicUrl = `https://localhost:${(proxy.address() as AddressInfo).port}`;
  certificateFile = join(makeDataDir(), 'ca.pem');
  writeFileSync(certificateFile, certificate);
  server = await startServer({ flags: ['--public-url', publicUrl] });
});
afterAll(async () => {
  proxy?.close().closeAllConnections();
  await server?.stop();
  await removeDataDirs();
});

interface Found {
  about: string;
  state: string;
  says: string;
  remedy?: string;
}

async function doctor(env: Record<string, string> = {}) {
  const { code, stdout } = await runCommand(['doctor', '--json', '--data', server.dataDir], env);
  const findings = JSON.parse(stdout) as Found[];
  return { code, about: (what: string) => findings.find(({ about }) => about === what) };
}

test('the examples keep /metrics and /readyz from readers, and nothing else', () => {
  expect(hiddenPaths()).toEqual({ nginx: ['/metrics', '/readyz'], caddy: ['/metrics', '/readyz'] });
});

test('behind the shipped examples doctor finds no problem', async () => {
  const { code, about } = await doctor({ NODE_EXTRA_CA_CERTS: certificateFile });
  expect(about('public address')).toEqual({ about: 'public address', state: 'ok', says: `${publicUrl} answers.` });
  expect(code).toBe(0);
});

test('a certificate of an unknown authority is named as the cause, with what to do', async () => {
  const { code, about } = await doctor();
  expect(code).toBe(1);
  expect(about('public address')).toMatchObject({
    state: 'problem',
    says: `${publicUrl} cannot be reached from here: its certificate is of an authority that this machine does not know.`,
    remedy: expect.stringContaining('fullchain.pem'),
  });
});

test('X-Forwarded-For that is ignored is warned of: once in the log, and by doctor', async () => {
  for (const path of ['/docs', '/afterword.js', '/v2/top/posts?apikey=none.example'])
    await fetch(server.url + path, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
  const lines = server.log().filter(({ msg }) => String(msg).includes('X-Forwarded-For'));
  expect(lines).toMatchObject([{ level: 'warn', msg: expect.stringContaining('--trusted-proxies is 0') }]);
  expect((await doctor()).about('proxy')).toMatchObject({
    state: 'warning',
    says: '3 of 3 requests came with X-Forwarded-For, and --trusted-proxies is 0: all readers count as one network.',
    remedy: expect.stringContaining('--trusted-proxies'),
  });
  for (let times = 0; times < 5; times++) await fetch(`${server.url}/docs`);
  expect((await doctor()).about('proxy'), 'clients of one’s own may write the header').toBeUndefined();
});

describe('nginx', () => {
  beforeEach(({ skip }) => skip(nginx === undefined, 'nginx is not on the PATH'));

  test('takes the shipped example, with TLS and a CDN too', async () => {
    const folder = makeDataDir();
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    writeFileSync(files.cert, certificate);
    writeFileSync(files.key, key);
    const [port] = await freePorts(1);
    const tls = /^# +(listen 443 ssl http2;)/m.exec(readShipped('nginx.conf'))![1]!;
    const cdn = 'set_real_ip_from 127.0.0.0/8; real_ip_header X-Forwarded-For; real_ip_recursive on;';
    const lines = `${tls.replace('443', `127.0.0.1:${port}`)} ssl_certificate ${files.cert}; ssl_certificate_key ${files.key}; ${cdn}`;
    for (const way of [undefined, lines]) {
      const words = writeNginx(folder, { port: port!, to: server.url, ...(way && { lines: way }) });
      expect(await tryProgram(nginx!, '-t', ...words)).toMatchObject({ code: 0 });
    }
  });

  test('passes lists and pages on, and hides what is for the machines inside', async () => {
    const [port] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const stop = await startProxy(nginx!, writeNginx(makeDataDir(), { port: port!, to: server.url }), url);
    try {
      expect(await statuses(url)).toEqual([200, 200, 200, 404, 404]);
    } finally {
      await stop();
    }
  });
});

describe('Caddy', () => {
  beforeEach(({ skip }) => skip(caddy === undefined, 'caddy is not on the PATH'));

  test('takes the shipped example and passes on the same', async () => {
    const folder = makeDataDir();
    const [port] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const site = readShipped('Caddyfile')
      .replace('stats.example.com {', `${url} {`)
      .replace('127.0.0.1:8080', new URL(server.url).host);
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, `{\n\tadmin off\n\tstorage file_system ${folder}\n}\n${site}`);
    mkdirSync(join(folder, 'home'));
    const stop = await startProxy(caddy!, ['run', '--adapter', 'caddyfile', '--config', file], url);
    try {
      expect(await statuses(url)).toEqual([200, 200, 200, 404, 404]);
    } finally {
      await stop();
    }
  });
});

const statuses = (url: string) =>
  Promise.all(
    ['/healthz', '/docs', '/v2/top/posts?apikey=none.example', '/metrics', '/readyz'].map(
      async (path) => (await fetch(url + path)).status,
    ),
  );
