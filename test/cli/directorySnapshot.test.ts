// What a start without the database knows of sites: everything that the database last said of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readSnapshot, withSnapshot } from '../../server/cli/directorySnapshot.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import type { Store } from '../../server/storage/store.ts';
import { until } from '../support/until.ts';

const site: Site = {
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
