// GET and POST /v2/rules, and what the rules make of related lists.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RuleSetRecord } from '../../server/contract/rules.ts';
import type { RelatedRecord } from '../../server/contract/wire.ts';
import { openDirectory } from '../../server/sites/directory.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const DAY = 86_400_000;
const at = (name: string) => `https://paper.example/${name}`;

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  const titles = {
    a: 'Ferry to the island',
    b: 'Island ferry tickets',
    c: 'The ferry harbour',
    d: 'Bread',
    e: 'Chess',
  };
  for (const [name, title] of Object.entries(titles))
    await room.write(at(name), {
      title: `${title} of the island ferry harbour`,
      section: name < 'd' ? 'Travel' : 'Home',
      tags: name === 'a' ? ['sea'] : [],
      pubDate: NOW - DAY,
    });
});
afterAll(() => room.close());
beforeAll(() => room.write(at('home'), { title: 'Front page', pageType: 'index' }));

const FORBIDDEN = { code: 403, message: 'Forbidden', success: false };

async function post(body: object, secret = room.writeSecret): Promise<Record<string, unknown>> {
  const response = await room.app.request('http://stats.example/v2/rules', {
    method: 'POST',
    body: JSON.stringify({ apikey: room.site.id, secret, ...body }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const sets = async () => (await room.ask('/rules')).data as unknown as RuleSetRecord[];

/** Names of the posts below a page, and what is said of each. */
async function below(name: string, params: Record<string, string> = {}): Promise<string[]> {
  const { data } = await room.ask('/related', { url: at(name), limit: '10', ...params });
  return (data as unknown as RelatedRecord[]).map(
    ({ url, source }) => `${url.slice(at('').length)}${source === 'editor' ? '!' : ''}`,
  );
}

describe('a set of rules', () => {
  test('is written, listed and removed, and a dry run changes nothing', async () => {
    const set = { name: 'sea', rules: [{ pin: `${at('e')}?utm_source=x`, position: 2, on_section: 'Travel' }] };
    const record = {
      name: 'sea',
      always: false,
      rules: [{ pin: at('e'), position: 2, on_section: 'Travel', state: 'in force' }],
      version: expect.stringMatching(/^[\da-f]{16}$/),
    };
    expect(await post({ set, dry_run: true })).toEqual({ data: [record], success: true });
    expect(await sets()).toEqual([]);
    expect(await post({ set })).toEqual({ data: [record], success: true });
    expect(await sets()).toEqual([record]);
    expect(await post({ remove: 'sea' })).toEqual({ data: [record], success: true });
    expect(await sets()).toEqual([]);
  });

  test('pins and hides in the lists that name it, and in no other', async () => {
    const plain = await below('a');
    expect(plain).toHaveLength(4);
    await post({ set: { name: 'sea', rules: [{ pin: at('e') }, { hide: { url: at('b') } }] } });
    expect(await below('a')).toEqual(plain);
    expect(await below('a', { rules: 'sea' })).toEqual(['e!', ...plain.filter((name) => !['b', 'e'].includes(name))]);
    expect(await below('a', { rules: 'gone' })).toEqual(plain);
    await post({ remove: 'sea' });
    expect(await below('a', { rules: 'sea' })).toEqual(plain);
  });

  test('that always applies is in every related list that names no other, and as HTML at once', async () => {
    const asHtml = async (more = '') =>
      (
        await room.app.request(`http://stats.example/v2/fragment/related?apikey=${room.site.id}&url=${at('a')}${more}`)
      ).text();
    const plain = await below('a');
    expect(await asHtml()).toContain('Chess');
    await post({ set: { name: 'front', always: true, rules: [{ hide: { section: 'Home' } }, { pin: at('c') }] } });
    expect(await below('a')).toEqual(['c!', 'b']);
    expect(await below('a', { rules: 'none' })).toEqual(plain);
    expect(await below('a', { rules: 'gone' })).toEqual(plain);
    expect(await asHtml('&rules=none')).toContain('Chess');
    const html = await asHtml();
    expect(html).not.toContain('Chess');
    expect(html.indexOf('The ferry harbour')).toBeLessThan(html.indexOf('Island ferry tickets'));
    await post({ remove: 'front' });
  });

  test('applies on the pages of its section or tag, while its time is', async () => {
    const until = new Date(NOW + 30_000).toISOString();
    await post({
      set: {
        name: 'front',
        always: true,
        rules: [
          { pin: at('e'), on_tag: 'sea', until },
          { pin: at('d'), on_section: 'Home' },
        ],
      },
    });
    expect((await below('a'))[0]).toBe('e!');
    expect(await below('b')).not.toContain('e!');
    expect((await below('e'))[0]).toBe('d!');
    room.setNow(NOW + 30_000);
    expect(await below('a')).not.toContain('e!');
    expect((await sets())[0]?.rules.map(({ state }) => state)).toEqual(['over', 'in force']);
    room.setNow(NOW);
    await post({ remove: 'front' });
  });

  test('says why a pinned post stands where it does', async () => {
    await post({ set: { name: 'front', always: true, rules: [{ pin: at('e') }] } });
    const { data } = await room.ask('/related', { url: at('a'), explain: '1' });
    expect(data[0]).toMatchObject({ url: at('e'), source: 'editor', explain: { made: 'rule', score: 0, terms: [] } });
    await post({ remove: 'front' });
  });

  test('gives way to a post that the publisher hides', async () => {
    await post({ set: { name: 'front', always: true, rules: [{ pin: at('e') }] } });
    await room.ask('/exclude/ignore', { url: at('e') });
    expect(await below('a')).not.toContain('e!');
    await room.ask('/exclude/include', { url: at('e') });
    expect((await below('a'))[0]).toBe('e!');
    await post({ remove: 'front' });
  });
});

test('another copy of the server, and the next start, have the same rules', async () => {
  await post({ set: { name: 'sea', rules: [{ pin: at('e'), until: '2040-04-01' }] } });
  const directory = await openDirectory(room.deps.store.sites, () => NOW);
  expect(directory.find(room.site.id)?.rules).toEqual(room.deps.sites.find(room.site.id)?.rules);
  await directory.change(room.site.id, ({ rules: _, ...site }) => site);
  // This copy has not read it yet, and takes nothing back.
  await post({ set: { name: 'front', rules: [{ pin: at('e') }] } });
  await directory.refresh();
  expect(directory.find(room.site.id)?.rules?.map(({ name }) => name)).toEqual(['front']);
  await post({ remove: 'front' });
});

test('writes at the same time keep what each other, and other settings, have changed', async () => {
  const sets = ['one', 'two', 'three'].map((name) => ({ name, rules: [{ pin: at('e') }] }));
  const settings = room.app.request('http://stats.example/v2/settings', {
    method: 'POST',
    body: JSON.stringify({ apikey: room.site.id, secret: room.writeSecret, dials: { mix: 0.4 } }),
  });
  await Promise.all([...sets.map((set) => post({ set })), settings]);
  expect(room.deps.sites.find(room.site.id)).toMatchObject({
    rules: [{ name: 'one' }, { name: 'three' }, { name: 'two' }],
    dials: { mix: 0.4 },
  });
  for (const { name } of sets) await post({ remove: name });
});

test('a post that has moved stays pinned, or left out, at its new address', async () => {
  await room.write(at('flat'), { title: 'A flat harbour', pubDate: NOW - DAY });
  await room.write(at('boat'), { title: 'The island ferry harbour boat', pubDate: NOW - DAY });
  expect(await below('a')).toContain('boat');
  const rules = [{ pin: at('flat') }, { hide: { url: at('boat') } }];
  await post({ set: { name: 'front', always: true, rules } });
  await room.write(at('flat-2'), { title: 'A flat harbour', pubDate: NOW - DAY }, [at('flat')]);
  await room.write(at('boat-2'), { title: 'The island ferry harbour boat', pubDate: NOW - DAY }, [at('boat')]);
  const found = await below('a');
  expect(found[0]).toBe('flat-2!');
  expect(found).not.toContain('boat-2');
  await room.deps.library.remove(room.site.id, [at('flat-2'), at('boat-2')]);
  await post({ remove: 'front' });
});

test('a set that has changed since it was read is neither written nor removed', async () => {
  const rules = (name: string) => [{ pin: at(name) }];
  const changed = { code: 422, errors: { version: [expect.stringContaining('front has changed since it was read')] } };
  const write = (version: string, name: string) => post({ set: { name: 'front', rules: rules(name) }, version });
  expect(await write('none', 'd')).toMatchObject({ success: true });
  expect(await write('none', 'e')).toMatchObject(changed);
  const [read] = await sets();
  const { version } = read!;
  expect(await write(version, 'e')).toMatchObject({ data: [{ rules: rules('e') }] });
  expect(await write(version, 'c')).toMatchObject(changed);
  expect(await post({ remove: 'front', version })).toMatchObject(changed);
  expect(await sets()).toMatchObject([{ rules: rules('e') }]);
  expect(await post({ remove: 'front', version: (await sets())[0]?.version })).toMatchObject({ success: true });
  expect(await post({ remove: 'front', version })).toMatchObject(changed);
});

test('a pin of a post that is gone stays until it is removed, and keeps no other rule from being written', async () => {
  await room.write(at('gone'), { title: 'Gone', pubDate: NOW - DAY });
  await post({ set: { name: 'front', always: true, rules: [{ pin: at('gone') }] } });
  await room.deps.library.remove(room.site.id, [at('gone')]);
  expect(await below('a')).not.toContain('gone!');
  const rules = [{ pin: at('gone') }, { pin: at('e') }];
  expect(await post({ set: { name: 'front', always: true, rules } })).toMatchObject({ success: true });
  expect((await below('a'))[0]).toBe('e!');
  await post({ remove: 'front' });
});

describe('is refused, and nothing changes', () => {
  test('with the read secret, without one, and a list without the read secret', async () => {
    const set = { name: 'front', rules: [{ pin: at('e') }] };
    expect(await post({ set }, room.secret)).toEqual(FORBIDDEN);
    expect(await post({ set }, '')).toEqual(FORBIDDEN);
    expect(await sets()).toEqual([]);
    expect(await room.ask('/rules', { secret: room.writeSecret })).toEqual(FORBIDDEN);
  });

  test.each<[string, object, string, string]>([
    ['nothing', {}, 'set', 'Give one of set, remove.'],
    ['both', { set: { name: 'a', rules: [] }, remove: 'a' }, 'remove', 'Give one of set, remove.'],
    ['a set that is not there', { remove: 'gone' }, 'remove', 'There is no rule set gone. There is none yet.'],
    [
      'a post that is not known',
      { set: { name: 'a', rules: [{ pin: at('zzz') }] } },
      'set.rules.0.pin',
      'no post of paper.example that is known',
    ],
    [
      'a page that is no post',
      { set: { name: 'a', rules: [{ pin: at('home') }] } },
      'set.rules.0.pin',
      'a page that is no post',
    ],
    ['no URL', { set: { name: 'a', rules: [{ pin: 'javascript:alert(1)' }] } }, 'set.rules.0.pin', 'absolute'],
    ['position 0', { set: { name: 'a', rules: [{ pin: at('e'), position: 0 }] } }, 'set.rules.0.position', '1 to 10'],
    ['no date', { set: { name: 'a', rules: [{ pin: at('e'), until: 'soon' }] } }, 'set.rules.0.until', ''],
    [
      'an end before the begin',
      { set: { name: 'a', rules: [{ pin: at('e'), from: '2040-04-02', until: '2040-04-01' }] } },
      'set.rules.0.until',
      'ends before it begins',
    ],
    ['a word that is unknown', { set: { name: 'a', rules: [{ boost: at('e') }] } }, 'set.rules.0', ''],
    [
      'a section of 201 characters',
      { set: { name: 'a', rules: [{ hide: { section: 'x'.repeat(201) } }] } },
      'set.rules.0.hide.section',
      '200 characters',
    ],
    [
      '51 rules',
      { set: { name: 'a', rules: Array.from({ length: 51 }, () => ({ hide: { tag: 'x' } })) } },
      'set.rules',
      'at most 50',
    ],
  ])('%s', async (_, body, field, sentence) => {
    const { code, errors } = (await post(body)) as { code: number; errors: Record<string, string[]> };
    expect(code).toBe(422);
    expect(errors[field]?.join()).toContain(sentence);
    expect(await sets()).toEqual([]);
  });
});

test('an experiment compares sets that are there, and keeps the set while it runs', async () => {
  const change = async (path: string, body: object) => {
    const response = await room.app.request(`http://stats.example/v2/${path}`, {
      method: 'POST',
      body: JSON.stringify({ apikey: room.site.id, secret: room.writeSecret, ...body }),
    });
    return (await response.json()) as { success: boolean; errors?: Record<string, string[]> };
  };
  const variants = [
    { name: 'control', share: 50 },
    { name: 'pinned', share: 50, rules: 'sea' },
  ];
  const add = { name: 'with-rules', slot: 'end', variants };
  expect((await change('experiments', { add })).errors).toEqual({
    'add.variants.1.rules': ['The variant pinned takes rules of a set that is there: there is none yet.'],
  });
  await post({ set: { name: 'sea', rules: [{ pin: at('e') }] } });
  expect((await change('experiments', { add })).success).toBe(true);
  expect(await room.ask('/related', { url: at('a') })).toMatchObject({
    experiments: [{ name: 'with-rules', variants: [{}, { rules: 'sea' }] }],
  });
  expect((await change('rules', { remove: 'sea' })).errors).toEqual({
    remove: ['The experiment with-rules is running with sea: stop it first.'],
  });
  await change('experiments', { stop: 'with-rules' });
  expect((await change('rules', { remove: 'sea' })).success).toBe(true);
});
