// What a start without the database knows of sites: everything that the database last said of them.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readSnapshot, withSnapshot } from '../../server/cli/directorySnapshot.ts';
import { withExclusionSnapshot } from '../../server/cli/exclusionSnapshot.ts';
import { StoreUnavailableError } from '../../server/errors.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import type { Store } from '../../server/storage/store.ts';
import { until } from '../support/until.ts';

/** With every setting that there is. */
const site: Required<Site> = {
  id: parseSiteId('example.com')!,
  timezone: 'Europe/Berlin',
  domains: ['www.example.com'],
  features: { top: true, recommendations: false, search: true },
  secretHash: 'read',
  writeSecretHash: 'write',
  eventMetadata: true,
  segmentKeys: ['plan'],
  retiring: [{ kind: 'read', hash: 'old', until: 9 }],
  referrers: new Map([['news.example', 'search']]),
  dials: { mix: 0.5 },
  experiments: [
    {
      name: 'grid-or-list',
      slot: 'after-article',
      goal: 'clicks',
      readers: 50_000,
      state: 'running',
      startedAt: 1,
      variants: [
        { name: 'control', share: 50 },
        { name: 'grid', share: 50, layout: 'grid' },
      ],
    },
  ],
  rules: [{ name: 'front', always: true, rules: [{ hide: { by: 'section', value: 'Opinion' }, onTag: 'sea' }] }],
  webhook: { url: 'https://example.com/hook', secret: 'signs' },
  alarms: { format: 'json', minimum: 1, since: 0 },
  mail: [{ id: 'one', address: 'editor@example.com', gets: ['alarms'], morning: 420, since: 1 }],
  quotas: { keepEvents: 30 },
  createdAt: 1,
};

test('a site comes back from the snapshot with every setting, its experiments and rules too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afterword-snapshot-'));
  const path = join(folder, 'sites.json');
  const store = {
    isShared: () => true,
    sites: { list: async () => [site] },
    partners: {},
    keys: {},
  } as unknown as Store;
  const log = pino({ level: 'silent' });
  const kept = withSnapshot(store, { path, installation: 'one', before: undefined, isOpen: () => true, log });
  expect(await kept.sites.list()).toEqual([site]);
  const read = await until('the snapshot is written', () => readSnapshot(path, 'one'));
  expect(read?.sites).toEqual([site]);
  expect(await readSnapshot(path, 'another')).toBeUndefined();
  await rm(folder, { recursive: true });
});

test('a change of a site or a partner is in the snapshot when it is acknowledged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afterword-snapshot-'));
  const path = join(folder, 'sites.json');
  const store = {
    isShared: () => true,
    sites: { list: async () => [site], save: async () => {}, remove: async () => {} },
    partners: { list: async () => [], save: async () => {}, remove: async () => {} },
    keys: {},
  } as unknown as Store;
  const log = pino({ level: 'silent' });
  const kept = withSnapshot(store, { path, installation: 'one', before: undefined, isOpen: () => true, log });
  await Promise.all([kept.sites.list(), kept.partners.list()]);
  const changed = { ...site, secretHash: 'another' };
  // Read before the change, and answered after it.
  const late = kept.sites.list();
  await kept.sites.save(changed, 1);
  await late;
  expect((await readSnapshot(path, 'one'))?.sites).toEqual([changed]);
  const partner = { name: 'agency', secretHash: 'hash', createdAt: 1 };
  await kept.partners.save(partner, 1);
  expect((await readSnapshot(path, 'one'))?.partners).toEqual([partner]);
  await kept.partners.remove(partner, 2);
  await kept.sites.remove(site.id);
  expect(await readSnapshot(path, 'one')).toMatchObject({ sites: [], partners: [] });
  await rm(folder, { recursive: true });
});

test('a disk that takes no snapshot is one line a minute in the log, however many sites there are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afterword-snapshot-'));
  const lines: { msg: string; more?: number }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  let passed = 0;
  const of = { log, clock: () => passed };
  const inTheWay = join(folder, 'a file');
  await writeFile(inTheWay, '');
  const store = {
    isShared: () => true,
    sites: { list: async () => [{ ...site }] },
    partners: { list: async () => [] },
    exclusions: { list: async () => [] },
  } as unknown as Store;
  const path = join(inTheWay, 'sites.json');
  const kept = withSnapshot(store, { path, installation: 'one', before: undefined, isOpen: () => true, ...of });
  const hidden = withExclusionSnapshot(store.exclusions, { folder: inTheWay, isShared: store.isShared, ...of });
  const refresh = async () => {
    await kept.sites.list();
    for (const id of ['one.example', 'two.example', 'three.example']) await hidden.list(parseSiteId(id)!, 0);
  };
  const said = (what: string) => lines.filter(({ msg }) => msg.startsWith(what));
  await refresh();
  await until('the sites could not be written', () => said('the snapshot of the sites').length === 1);
  await refresh();
  expect(said('the hidden URLs')).toHaveLength(1);
  passed += 60_000;
  await refresh();
  await until('it is said again', () => said('the snapshot of the sites').length === 2);
  expect(said('the hidden URLs')).toMatchObject([{}, { more: 5 }]);
  await rm(folder, { recursive: true });
});

test('what is hidden is written whole, also where several requests read it at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afterword-hidden-'));
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  let isAway = false;
  let read = 0;
  const list = async () => {
    if (isAway) throw new StoreUnavailableError('It is away.');
    return [`https://example.com/${read++}`];
  };
  const exclusions = { list } as unknown as Store['exclusions'];
  const open = () => withExclusionSnapshot(exclusions, { folder, isShared: () => true, log });
  const hidden = open();
  await Promise.all(Array.from({ length: 20 }, () => hidden.list(site.id, 0)));
  expect(lines).toEqual([]);
  isAway = true;
  expect(await open().list(site.id, 0)).toEqual(['https://example.com/19']);
  await rm(folder, { recursive: true });
});

test.each([
  ['damaged', (file: string) => writeFile(file, '["https://exam')],
  ['unreadable', (file: string) => mkdir(file)],
])('a file of hidden URLs that is %s is named in the log, and one that is not there is not', async (_, spoil) => {
  const folder = await mkdtemp(join(tmpdir(), 'afterword-hidden-'));
  const lines: object[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const away = new StoreUnavailableError('It is away.');
  const exclusions = { list: () => Promise.reject(away) } as unknown as Store['exclusions'];
  const ask = () => withExclusionSnapshot(exclusions, { folder, isShared: () => true, log }).list(site.id, 0);
  await expect(ask()).rejects.toBe(away);
  expect(lines).toEqual([]);
  await spoil(join(folder, `${site.id}.hidden`));
  await expect(ask()).rejects.toBe(away);
  expect(lines).toMatchObject([{ site: site.id, msg: expect.stringContaining('cannot be read from its file') }]);
  await rm(folder, { recursive: true });
});
