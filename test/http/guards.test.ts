// Every route asks for what its guard in app.ts says: without it nothing is answered, whatever else is right.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../server/app.ts';
import type { Route } from '../../server/http/endpoint.ts';
import {
  eitherSecret,
  ofPartner,
  ofPreviewedSite,
  ofSite,
  secret,
  signed,
  writeSecret,
} from '../../server/http/guards.ts';
import type { OpenApi } from '../../server/reference/openapi.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

let room: Newsroom;
let document: OpenApi;

beforeAll(async () => {
  room = await openNewsroom({ now: Date.UTC(2030, 0, 1) });
  document = (await (await room.app.request('/openapi.json')).json()) as OpenApi;
});
afterAll(() => room.close());

const URL_OF_PAGE = 'https://paper.example/a';

/** A request in which all is right but, maybe, the keys. */
async function ask({ method, path }: Route, keys: Record<string, string>): Promise<{ code?: number; status: number }> {
  const { parameters, requestBody } = document.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const words = parameters.find((parameter) => parameter.name === name)?.schema.enum as string[] | undefined;
    return keys[name] ?? words?.[0] ?? '480';
  });
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
