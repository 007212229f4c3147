// Every route asks for what its guard in app.ts says: without it nothing is answered, whatever else is right.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../server/app.ts';
import type { Route } from '../../server/http/endpoint.ts';
import {
  eitherSecret,
  inHeader,
  ofPartner,
  ofPreviewedSite,
  ofSite,
  secret,
  signed,
  writeSecret,
} from '../../server/http/guards.ts';
import type { OpenApi } from '../../server/reference/openapi.ts';
import { createReadSecret, hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

let room: Newsroom;
let document: OpenApi;

beforeAll(async () => {
  room = await openNewsroom({ now: Date.UTC(2030, 0, 1) });
  document = (await (await room.app.request('/openapi.json')).json()) as OpenApi;
});
afterAll(() => room.close());

const URL_OF_PAGE = 'https://paper.example/a';

/** A path with keys, and words that its parameters take. */
function filledPath({ method, path }: Pick<Route, 'method' | 'path'>, keys: Record<string, string>): string {
  const parameters = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.parameters ?? [];
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const words = parameters.find((parameter) => parameter.name === name)?.schema.enum as string[] | undefined;
    return keys[name] ?? words?.[0] ?? '480';
  });
}

/** A request in which all is right but, maybe, the keys. */
async function ask({ method, path }: Route, keys: Record<string, string>): Promise<{ code?: number; status: number }> {
  const { requestBody } = document.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;
  const filled = filledPath({ method, path }, keys);
  const query = new URLSearchParams({ url: URL_OF_PAGE, uuid: 'reader', q: 'word', ...keys });
  const response = await room.app.request(`http://stats.example${filled}?${query}`, {
    method,
    ...(requestBody && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ metadata: { canonical_url: URL_OF_PAGE } }),
    }),
  });
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  return { status: response.status, ...(isJson && { code: (JSON.parse(text) as { code?: number }).code }) };
}

const behind = (...guards: object[]) => ROUTES.filter(({ guard }) => guards.includes(guard));

test('the list has routes behind each guard', () => {
  for (const guard of [ofSite, secret, writeSecret, eitherSecret, ofPartner, signed, ofPreviewedSite])
    expect(behind(guard).length).toBeGreaterThan(0);
});

test('public lists and the preview are for known sites', async () => {
  for (const route of behind(ofSite, ofPreviewedSite)) {
    expect([route.path, await ask(route, { apikey: 'unknown.example' })]).toMatchObject([route.path, { code: 403 }]);
    expect([route.path, (await ask(route, { apikey: room.site.id })).code]).not.toEqual([route.path, 403]);
  }
});

test('traffic of a site takes its secret, neither another nor the one that writes', async () => {
  for (const route of behind(secret)) {
    for (const wrong of [{}, { secret: 'wrong' }, { secret: room.writeSecret }] as Record<string, string>[])
      expect([route.path, await ask(route, { apikey: room.site.id, ...wrong })]).toMatchObject([
        route.path,
        { code: 403 },
      ]);
    const answered = await ask(route, { apikey: room.site.id, secret: room.secret });
    expect([route.path, answered.code]).not.toEqual([route.path, 403]);
  }
});

test('metadata is written with the write secret, pages are queued with either', async () => {
  for (const route of behind(writeSecret, eitherSecret)) {
    const isEither = route.guard === eitherSecret;
    for (const [given, isRight] of [
      ['wrong', false],
      [room.secret, isEither],
      [room.writeSecret, true],
    ] as const) {
      const answered = await ask(route, { apikey: room.site.id, secret: given });
      expect([route.method, route.path, given, answered.code !== 403]).toEqual([
        route.method,
        route.path,
        given,
        isRight,
      ]);
    }
  }
});

test('partners and signed pictures are not there for others', async () => {
  for (const route of behind(ofPartner))
    expect([route.path, await ask(route, { partner: 'acme', secret: room.secret })]).toMatchObject([
      route.path,
      { code: 403 },
    ]);
  for (const route of behind(signed))
    expect(
      await ask(route, { apikey: room.site.id, signature: 'A'.repeat(22), of: 'https://a.example/b.jpg' }),
    ).toMatchObject({
      status: 404,
    });
});

/** Keys of someone who may not ask about the site: of another site, of a partner, replaced ones, and the stored hash. */
async function keysOfOthers(): Promise<string[]> {
  const { sites, partners, now } = room.deps;
  const [read, write, ofPartner, ...replaced] = Array.from({ length: 5 }, createReadSecret) as [string, string, string];
  const hashes = { secretHash: hashSecret(read), writeSecretHash: hashSecret(write) };
  await sites.add({ ...room.site, id: parseSiteId('other.example')!, ...hashes });
  for (const [name, key] of Object.entries({ acme: createReadSecret(), agency: ofPartner }))
    await partners.add({ name, secretHash: hashSecret(key), createdAt: now() });
  const retiring = replaced.map((text, at) => ({
    kind: at === 0 ? ('read' as const) : ('write' as const),
    hash: hashSecret(text),
    until: now(),
  }));
  await sites.change(room.site.id, (site) => ({ ...site, retiring }));
  return [read, write, ofPartner, ...replaced, room.site.secretHash];
}

/** The whole answer, headers included, to a request with a key in the query, in the header and in the body. */
async function answerWith({ method, path }: Route, apikey: string, key: string): Promise<string> {
  const filled = filledPath({ method, path }, { apikey, partner: apikey === room.site.id ? 'acme' : 'nobody' });
  const query = new URLSearchParams({ apikey, secret: key, url: URL_OF_PAGE });
  const body = method === 'POST' ? JSON.stringify({ apikey, secret: key, metadata: {} }) : null;
  const headers = { Authorization: `Bearer ${key}`, ...(body !== null && { 'Content-Type': 'application/json' }) };
  const response = await room.app.request(`http://stats.example${filled}?${query}`, { method, headers, body });
  return JSON.stringify([response.status, [...response.headers], await response.text()]);
}

test('keys of others open no route, and no refusal says whether there is such a site', async () => {
  const keys = await keysOfOthers();
  for (const route of behind(secret, writeSecret, eitherSecret, inHeader, ofPartner)) {
    const answers = await Promise.all(
      ['paper.example', 'unknown.example'].flatMap((id) => keys.map((key) => answerWith(route, id, key))),
    );
    const [first] = new Set(answers);
    expect([route.path, first]).toEqual([route.path, expect.stringMatching(/^\[401,|Forbidden/)]);
    expect([route.path, new Set(answers).size]).toEqual([route.path, 1]);
  }
});
