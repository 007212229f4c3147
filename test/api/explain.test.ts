// /related?explain=1 through the front door: why each post stands where it stands, for who has the secret.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RelatedRecord } from '../../server/contract/wire.ts';
import { RECORDS } from '../../server/reference/recordSchemas.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.UTC(2040, 2, 20);
const at = (name: string) => `https://paper.example/${name}`;
let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  const author = { authors: ['Ada Lovelace'], tags: ['islands'], pubDate: NOW - 86_400_000 };
  const ferry = 'The night ferry leaves the old harbour; tickets are sold at the kiosk.';
  await room.write(at('ferry'), { title: 'The night ferry', fullContent: ferry, ...author });
  const kiosk = 'Ferry tickets and newspapers from a kiosk at the old harbour.';
  await room.write(at('kiosk'), { title: 'The kiosk at the harbour', fullContent: kiosk, ...author });
  await room.write(at('bread'), { title: 'Sourdough', fullContent: 'A patient baker.', pubDate: NOW - 3_600_000 });
});

afterAll(() => room.close());

interface Body {
  data: (RelatedRecord & Record<string, unknown>)[];
}

async function related(params: Record<string, string>) {
  const query = new URLSearchParams({ apikey: room.site.id, ...params });
  const response = await room.app.request(`/v2/related?${query}`);
  return { kept: response.headers.get('cache-control'), body: (await response.json()) as Body };
}

const urls = ({ data }: Body) => data.map(({ url }) => url);

test('says the parts of each score and the words in common, and is not cached', async () => {
  const plain = await related({ url: at('kiosk') });
  const { body, kept } = await related({ url: at('kiosk'), explain: '1', secret: room.secret });
  expect(kept).toBe('private, no-store');
  expect(urls(body)).toEqual(urls(plain.body));
  const { explain } = body.data[0]!;
  expect(explain).toMatchObject({ made: 'product', parts: { words: expect.any(Number), tags: expect.any(Number) } });
  expect(explain!.parts.author).toBeGreaterThan(1);
  expect(explain!.terms.map(({ term }) => term)).toContain('old harbour');
  expect(RECORDS.Related.safeParse(body.data[0]).error).toBeUndefined();
});

test('is refused without the secret', async () => {
  for (const wrong of ['', 'wrong', room.writeSecret]) {
    const { body } = await related({ url: at('kiosk'), explain: '1', secret: wrong });
    expect(body).toEqual({ code: 403, message: 'Forbidden', success: false });
  }
});

test('says nothing where it is not asked for, whatever secret is sent', async () => {
  const { body, kept } = await related({ url: at('kiosk'), secret: 'x'.repeat(5000) });
  expect(kept).toBe('public, max-age=60');
  expect(body.data[0]).not.toHaveProperty('explain');
});

test('distinguishes the newest posts from relevant ones', async () => {
  const { body } = await related({ url: at('bread'), explain: '1', secret: room.secret });
  expect(body.data[0]!.explain).toMatchObject({ made: 'recent', score: 0 });
});

test('of a profile says what is taste, and explains each page of the list by itself', async () => {
  await room.deps.profiles.train(room.site.id, 'ann', at('ferry'));
  const asked = { uuid: 'ann', explain: '1', secret: room.secret, limit: '1' };
  const { body } = await related(asked);
  expect(body.data[0]).toMatchObject({
    url: at('kiosk'),
    explain: { made: 'sum', parts: { taste: expect.any(Number) } },
  });
});
