// `afterword serve --oidc`: what is wrong with the file is one sentence that names the field, before anything is touched.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readOidc } from '../../server/cli/settings/oidc.ts';
import { readGuide } from '../docs/guides/guide.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { freePorts } from '../support/ports.ts';
import { startServer } from '../support/server.ts';

afterAll(removeDataDirs);

const GRANT = { claim: 'groups', value: 'editors', site: 'paper.example', role: 'act' };
const FILE = {
  issuer: 'https://id.example/realm',
  client_id: 'afterword',
  client_secret_file: 'secret',
  redirect_uri: 'https://paper.example/stats/console/oidc/callback',
  grants: [GRANT],
};

/** @returns Name of a file with this text, beside one with a secret. */
function written(text: string): string {
  const folder = makeDataDir();
  writeFileSync(join(folder, 'secret'), 'hidden-word\n', { mode: 0o600 });
  writeFileSync(join(folder, 'oidc.json'), text);
  return join(folder, 'oidc.json');
}

const changed = (change: object) => () => written(JSON.stringify({ ...FILE, ...change }));
const granting = (change: object) => changed({ grants: [GRANT, { ...GRANT, ...change }] });

const cases: [what: string, file: () => string, says: string][] = [
  ['a file that is missing', () => '/nowhere/oidc.json', 'names /nowhere/oidc.json, which cannot be read (ENOENT).'],
  ['a folder', () => makeDataDir(), 'which cannot be read (EISDIR).'],
  ['a text', () => written('issuer: https://hidden-word.example'), 'which is not JSON.'],
  ['a list', () => written('[]'), ': it takes a JSON object.'],
  ['an unknown field', changed({ client_secret: 'hidden-word' }), ': it has an unknown field: client_secret.'],
  ['no issuer', changed({ issuer: undefined }), ': issuer takes the https address of the provider'],
  [
    'an issuer without TLS',
    changed({ issuer: 'http://id.example' }),
    ': issuer takes the https address of the provider',
  ],
  ['an issuer with a query', changed({ issuer: 'https://id.example/?x=1' }), ': issuer takes'],
  ['an issuer with a password', changed({ issuer: 'https://a:hidden-word@id.example/' }), ': issuer takes'],
  ['no client', changed({ client_id: '' }), ': client_id takes the id of this server at the provider.'],
  ['a scope without openid', changed({ scope: 'email' }), ': scope takes words with "openid" among them.'],
  ['a name of two lines', changed({ name: 'a\nb' }), ': name takes the provider’s name'],
  ['a secret that is missing', changed({ client_secret_file: 'none' }), 'client_secret_file in '],
  [
    'another address of the callback',
    changed({ redirect_uri: 'https://paper.example/callback' }),
    ': redirect_uri takes an address that ends with /console/oidc/callback.',
  ],
  [
    'no address for the callback',
    changed({ redirect_uri: undefined }),
    'set --public-url (or AFTERWORD_PUBLIC_URL), or redirect_uri in the file.',
  ],
  ['no grants', changed({ grants: [] }), ': grants takes a list with a grant at least.'],
  ['an unknown role', granting({ role: 'admin' }), ': grants[1].role takes one of operator, act, read.'],
  ['an unknown field of a grant', granting({ sites: [] }), ': grants[1] has an unknown field: sites.'],
  ['a grant without a site', granting({ site: undefined }), ': grants[1].site takes a Site ID'],
  ['a site that is none', granting({ site: 'no site' }), ': grants[1].site takes a Site ID'],
  ['an operator of a site', granting({ role: 'operator' }), ': grants[1].site is not there with the role operator'],
  ['a value that is a list', granting({ value: ['editors'] }), ': grants[1].value takes the text'],
  [
    'a domain for another claim',
    granting({ value: '*@paper.example' }),
    ': grants[1].value takes "*@" with a domain for the claim "email" alone.',
  ],
  ['a domain with a wildcard', granting({ claim: 'email', value: '*@*.example' }), ': grants[1].value takes "*@"'],
];
test.each(cases)('%s is one clear error, and nothing is touched', async (_, file, says) => {
  const data = join(makeDataDir(), 'data');
  const { code, stderr } = await runInProcess([
    'serve',
    '--port',
    '0',
    '--data',
    data,
    '--log-level',
    'silent',
    '--oidc',
    file(),
  ]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) });
  expect(stderr).not.toContain('hidden-word');
  expect(existsSync(data)).toBe(false);
});

test('the file of the guide is taken', async () => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(readGuide('console.md').text) ?? [];
  const file = written(example.replace('/etc/afterword/oidc-secret', 'secret'));
  const settings = await readOidc({ oidc: file, publicUrl: 'https://stats.example.com' }, expect.fail);
  expect(settings).toMatchObject({ clientSecret: 'hidden-word', name: 'Example login' });
  expect(settings!.redirectUri.href).toBe('https://stats.example.com/console/oidc/callback');
  expect(settings!.grants.map(({ site, role }) => [site, role])).toEqual([
    ['example.com', 'read'],
    ['example.com', 'read'],
    ['*', 'act'],
    ['*', 'operator'],
  ]);
});

test('several errors are said at once', async () => {
  const file = changed({ client_id: 7, grants: [{ ...GRANT, role: 'x' }] })();
  const { stderr } = await runInProcess([
    'serve',
    '--data',
    join(makeDataDir(), 'data'),
    '--log-level',
    'silent',
    '--oidc',
    file,
  ]);
  expect(stderr).toMatch(/: client_id takes [^;]+; grants\[0\]\.role takes [^;]+\.\n$/);
});

test('a provider that is away stops no start; a secret that others can read is used, with a warning', async () => {
  const [port = 0] = await freePorts(1);
  const file = changed({ issuer: `http://127.0.0.1:${port}`, name: 'Example login' })();
  const secret = join(file, '../readable');
  writeFileSync(secret, 'hidden-word');
  // Not a mode of writeFileSync(), which takes the umask's bits away.
  chmodSync(secret, 0o644);
  writeFileSync(file, JSON.stringify({ ...FILE, issuer: `http://127.0.0.1:${port}`, client_secret_file: secret }));
  const server = await startServer({ env: { AFTERWORD_OIDC: file } });
  const answer = await fetch(`${server.url}/console/oidc`, { redirect: 'manual' });
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringContaining('OpenID Connect does not answer'),
  ]);
  expect(server.log().map(({ msg }) => msg)).toContain(
    `${secret} holds a secret and can be read by every user of this machine: chmod 600 ${secret}`,
  );
  expect(JSON.stringify(server.log())).not.toContain('hidden-word');
  expect(await server.stop()).toBe(0);
});
