// What is handed to Docker, systemd and npm names things that are there.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { serverOptions } from '../../server/config.ts';
import { root } from '../support/build.ts';
import { readShipped } from '../support/shippedProxies.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const dockerfile = read('Dockerfile');

test('the image is built from files that exist', () => {
  const names = [...read('.dockerignore').matchAll(/^!(.*)$/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

test('the container runs as a number that is not root, and is asked for its health at its own port', () => {
  expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK .*CMD \["afterword", "health"\]$/m);
});

test('every variable that the image, compose and the unit set is a setting', () => {
  const settings = serverOptions().map(({ envVar }) => envVar);
  const set = [dockerfile, read('compose.yaml'), readShipped('afterword.service')].flatMap(
    (text) => text.match(/\bAFTERWORD_[A-Z_]+(?=[=:])/g) ?? [],
  );
  expect(set.length).toBeGreaterThan(10);
  expect(set.filter((name) => !settings.includes(name))).toEqual([]);
});

test('the unit waits for the time of the machine, by which the database removes what is old', () => {
  const unit = readShipped('afterword.service');
  for (const key of ['After', 'Wants']) expect(unit).toMatch(new RegExp(`^${key}=.*\\btime-sync\\.target\\b`, 'm'));
});

test('compose hands passwords over as files, and the copies keep their addresses', () => {
  const compose = parse(read('compose.yaml'), { merge: true });
  for (const name of ['afterword-1', 'afterword-2']) {
    const { environment, secrets, networks } = compose.services[name];
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
    const files = Object.entries<string>(environment).filter(([variable]) => variable.endsWith('_FILE'));
    expect(files.map(([, file]) => file).sort()).toEqual(secrets.map((name: string) => `/run/secrets/${name}`).sort());
    expect(files.length).toBeGreaterThan(0);
    expect(Object.keys(environment)).not.toContain('AFTERWORD_CLICKHOUSE_URL');
    expect(networks.outside.ipv4_address).toMatch(/^172\.30\.80\./);
  }
});

test('the proxies pass a body as large as the server reads', () => {
  expect(readShipped('nginx.conf')).toMatch(/client_max_body_size 8m;/);
  expect(readShipped('Caddyfile')).toMatch(/max_size 8MiB$/m);
});

test('nginx keeps the lists that any reader may be shown while the server is away', () => {
  const [, kept] = /location ~ (\S+) \{\s+proxy_pass \S+\s+proxy_cache /.exec(readShipped('nginx.conf')) ?? [];
  const isKept = (path: string) => new RegExp(kept!).test(path);
  const lists = ['/v2/top/posts', '/v2/related', '/v2/fragment/related', '/v2/fragment/top'];
  expect([...lists, '/v2/analytics/posts', '/v2/history'].filter(isKept)).toEqual(lists);
});

test('the package has the examples of deployment, the changelog and the threat model', async () => {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', words, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  const files: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
  const wanted = ['nginx.conf', 'Caddyfile', 'afterword.service', 'alerts.yml', 'grafana.json'];
  expect(files).toEqual(
    expect.arrayContaining([
      ...wanted.map((name) => `server/deploy/${name}`),
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'SECURITY.md',
      'docs/operate.md',
    ]),
  );
  expect(files.filter((file) => /^(?:test|bench|node_modules|data)\/|\.env/.test(file))).toEqual([]);
});
