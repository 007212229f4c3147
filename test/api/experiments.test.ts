// GET and POST /v2/experiments: who may change them, what is refused, what stays.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExperimentRecord } from '../../server/contract/experiments.ts';
import { openDirectory } from '../../server/sites/directory.ts';
import { createReadSecret, createWriteSecret, hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
});
afterAll(() => room.close());

const FORBIDDEN = { code: 403, message: 'Forbidden', success: false };

async function post(body: object, secret = room.writeSecret): Promise<Record<string, unknown>> {
  const response = await room.app.request('http://stats.example/v2/experiments', {
    method: 'POST',
    body: JSON.stringify({ apikey: room.site.id, secret, ...body }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

let tries = 0;
/** An experiment in a slot of its own: a test that is tried again meets none of its own. */
const input = (changed: object = {}) => {
  tries += 1;
  return {
    name: `grid-${tries}`,
    slot: `slot-${tries}`,
    variants: [
      { name: 'control', share: 50 },
      { name: 'grid', share: 50, layout: 'grid' },
    ],
    ...changed,
  };
};

const listed = async (params: Record<string, string> = {}) =>
  (await room.ask('/experiments', params)).data as unknown as ExperimentRecord[];

test('an experiment is added, stopped and archived, and each answer has it', async () => {
  const add = input();
  const { name } = add;
  const record = {
    ...add,
    goal: 'clicks',
    readers: 50_000,
    state: 'running',
    started: '2040-03-20T16:30:00.000Z',
    stopped: null,
    ended_by: null,
  };
  expect(await post({ add })).toEqual({ data: [record], success: true });
  expect(await listed()).toContainEqual(record);
  const stopped = { ...record, state: 'stopped', stopped: '2040-03-20T16:30:00.000Z', ended_by: 'command' };
  expect(await post({ stop: name })).toEqual({ data: [stopped], success: true });
  expect(await post({ archive: name })).toEqual({ data: [{ ...stopped, state: 'archived' }], success: true });
  expect((await listed()).map((one) => one.name)).not.toContain(name);
  expect((await listed({ archived: '1' })).map((one) => one.name)).toContain(name);
});

test('another copy of the server, and the next start, have the same experiments', async () => {
  const add = input();
  await post({ add });
  const directory = await openDirectory(room.deps.store.sites, () => NOW);
  expect(directory.find(room.site.id)?.experiments).toEqual(room.deps.sites.find(room.site.id)?.experiments);
  expect(directory.find(room.site.id)?.experiments?.map(({ name }) => name)).toContain(add.name);
});

test('answers of lists carry what is running, the same for all readers, and not a word of what is not', async () => {
  tries += 1;
  const id = parseSiteId(`quiet-${tries}.example`)!;
  await room.deps.sites.add({ ...room.site, id, experiments: [] });
  const ask = async (path: string) => {
    const response = await room.app.request(`http://stats.example/v2${path}apikey=${id}`);
    return (await response.json()) as { experiments?: object[] };
  };
  const change = (body: object) =>
    room.app.request('http://stats.example/v2/experiments', {
      method: 'POST',
      body: JSON.stringify({ apikey: id, secret: room.writeSecret, ...body }),
    });
  const paths = [`/related?url=https%3A%2F%2F${id}%2Fa&`, '/top/posts?'];
  for (const path of paths) expect(await ask(path)).not.toHaveProperty('experiments');
  const { name, slot, variants } = input();
  await change({ add: { name, slot, variants } });
  room.setNow(NOW + 60_001);
  for (const path of paths) expect((await ask(path)).experiments).toEqual([{ name, slot, variants }]);
  await change({ stop: name });
  room.setNow(NOW + 120_002);
  for (const path of paths) expect(await ask(path)).not.toHaveProperty('experiments');
  room.setNow(NOW);
});

describe('is refused, and nothing changes', () => {
  test('with the read secret, without one, and a list without the read secret', async () => {
    const add = input();
    expect(await post({ add }, room.secret)).toEqual(FORBIDDEN);
    expect(await post({ add }, '')).toEqual(FORBIDDEN);
    expect((await listed()).map((one) => one.name)).not.toContain(add.name);
    expect(await room.ask('/experiments', { secret: room.writeSecret })).toEqual(FORBIDDEN);
  });

  test('with the secret of another site', async () => {
    const add = input();
    const other = { ...room.site, id: parseSiteId(`other-${tries}.example`)! };
    const [read, write] = [createReadSecret(), createWriteSecret()];
    await room.deps.sites.add({ ...other, secretHash: hashSecret(read), writeSecretHash: hashSecret(write) });
    expect(await post({ add }, write)).toEqual(FORBIDDEN);
    expect((await listed()).map((one) => one.name)).not.toContain(add.name);
    expect(await room.ask('/experiments', { secret: read })).toEqual(FORBIDDEN);
  });

  test.each<[string, (running: string) => object, string, string]>([
    [
      'an unknown layout',
      () => ({
        add: input({
          variants: [
            { name: 'a', share: 50 },
            { name: 'b', share: 50, layout: 'x' },
          ],
        }),
      }),
      'add.variants.1.layout',
      'The variant b takes a layout of list, grid, row, compact, not "x".',
    ],
    [
      'shares that add up to 101',
      () => ({
        add: input({
          variants: [
            { name: 'a', share: 50 },
            { name: 'b', share: 51 },
          ],
        }),
      }),
      'add.variants',
      'The shares add up to 101: they have to add up to 100.',
    ],
    [
      'markup in a heading',
      () => ({
        add: input({
          variants: [
            { name: 'a', share: 50 },
            { name: 'b', share: 50, heading: '<i>' },
          ],
        }),
      }),
      'add.variants.1.heading',
      'The variant b: a heading is plain text, without markup, not "<i>".',
    ],
    [
      'half a surrogate pair in a heading',
      () => ({
        add: input({
          variants: [
            { name: 'a', share: 50 },
            { name: 'b', share: 50, heading: 'Read on \ud83d' },
          ],
        }),
      }),
      'add.variants.1.heading',
      'The variant b: a heading has 1 to 120 characters of plain text',
    ],
    [
      'half a surrogate pair in a slot',
      () => ({ add: input({ slot: 'end-\ude00' }) }),
      'add.slot',
      'The experiment: the name of a slot has 1 to 64 characters of plain text',
    ],
    [
      'the slot of a running one',
      (running) => ({ add: input({ slot: `slot-of-${running}` }) }),
      'add.slot',
      'is running in the slot',
    ],
    [
      'an unknown setting',
      () => ({
        add: input({
          variants: [
            { name: 'a', share: 50 },
            { name: 'b', share: 50, color: 'red' },
          ],
        }),
      }),
      'add.variants.1',
      'Give variants as objects',
    ],
    [
      'too few readers',
      () => ({ add: input({ readers: 10 }) }),
      'add.readers',
      'Give a whole number of readers from 1000',
    ],
    [
      'an unknown goal',
      () => ({ add: input({ goal: 'fame' }) }),
      'add.goal',
      'Give one of clicks, quality_clicks, views.',
    ],
    [
      'text in place of variants',
      () => ({ add: input({ variants: JSON.stringify(input().variants) }) }),
      'add.variants',
      'Give variants as objects',
    ],
    ['the end of none', () => ({ stop: 'nothing' }), 'stop', 'There is no experiment nothing. Those there are: '],
    ['a running one to be archived', (running) => ({ archive: running }), 'archive', 'is running: stop it first.'],
    ['nothing', () => ({}), 'add', 'Give one of add, stop, archive, restore.'],
    [
      'two changes',
      (running) => ({ stop: running, archive: running }),
      'stop',
      'Give one of add, stop, archive, restore.',
    ],
  ])('%s', async (_, bodyOf, field, sentence) => {
    const running = input();
    const add = { ...running, slot: `slot-of-${running.name}` };
    await post({ add });
    const before = await listed({ archived: '1' });
    const refused = await post(bodyOf(running.name));
    expect(refused).toMatchObject({ code: 422, success: false });
    expect((refused.errors as Record<string, string[]>)[field]?.[0]).toContain(sentence);
    expect(await listed({ archived: '1' })).toEqual(before);
  });
});
