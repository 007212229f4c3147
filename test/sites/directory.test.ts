// The sites in memory, in front of their table.
import { beforeEach, expect, test } from 'vitest';
import { openDirectory } from '../../server/sites/directory.ts';
import { parseSiteId, type Site, type SiteId } from '../../server/sites/site.ts';
import type { SiteStore } from '../../server/storage/store.ts';
import { replaceSite } from '../support/replaceSite.ts';

function site(name: string, timezone = 'UTC'): Site {
  const features = { top: true, recommendations: true, search: true };
  return { id: parseSiteId(name)!, timezone, domains: [], features, secretHash: '', writeSecretHash: '', createdAt: 0 };
}

let table: Map<SiteId, Site>;
let store: SiteStore;
beforeEach(() => {
  table = new Map();
  store = {
    list: async () => [...table.values()],
    find: async (id) => table.get(id),
    save: async (saved) => void table.set(saved.id, saved),
    remove: async (id) => void table.delete(id),
  };
});
const now = () => 0;

test('a site is found in any case, and nothing else is', async () => {
  const sites = await openDirectory(store, now);
  await sites.add(site('example.com'));
  for (const id of ['example.com', 'EXAMPLE.com', ' example.com ']) expect(sites.find(id)?.id).toBe('example.com');
  for (const id of ['', 'example.org', '__proto__', 'example.com/', 'éxample.com'])
    expect(sites.find(id)).toBeUndefined();
});

test('what is stored is there after a new start, in order', async () => {
  const sites = await openDirectory(store, now);
  await sites.add(site('b.example'));
  await sites.add(site('a.example'));
  await replaceSite(sites, site('b.example', 'Europe/Madrid'));
  const again = await openDirectory(store, now);
  expect(again.list().map(({ id, timezone }) => [id, timezone])).toEqual([
    ['a.example', 'UTC'],
    ['b.example', 'Europe/Madrid'],
  ]);
});

test('a change that cannot be stored is not seen', async () => {
  const sites = await openDirectory(store, now);
  await sites.add(site('a.example'));
  store.save = () => Promise.reject(new Error('disk full'));
  store.remove = () => Promise.reject(new Error('disk full'));
  await expect(sites.add(site('b.example'))).rejects.toThrow('disk full');
  await expect(replaceSite(sites, site('a.example', 'Europe/Madrid'))).rejects.toThrow('disk full');
  await expect(sites.remove(parseSiteId('a.example')!)).rejects.toThrow('disk full');
  expect(sites.list()).toEqual([site('a.example')]);
});

test('what another copy of the server changed is seen after a refresh', async () => {
  const sites = await openDirectory(store, now);
  await sites.add(site('a.example'));
  const other = await openDirectory(store, now);
  await other.add(site('b.example'));
  await other.remove(parseSiteId('a.example')!);
  await sites.refresh();
  expect(sites.list().map(({ id }) => id)).toEqual(['b.example']);
});

test('a site that this copy or another removed is said once, also where it was made again since', async () => {
  const [sites, other] = [await openDirectory(store, now), await openDirectory(store, now)];
  for (const name of ['a.example', 'b.example', 'c.example', 'd.example']) await sites.add(site(name));
  await other.refresh();
  const said: Record<string, string[]> = { sites: [], other: [] };
  sites.onRemoved((id) => said.sites!.push(id));
  other.onRemoved((id) => said.other!.push(id));
  await sites.remove(parseSiteId('a.example')!);
  await sites.remove(parseSiteId('b.example')!);
  await sites.add({ ...site('b.example'), createdAt: 1 });
  await replaceSite(sites, site('c.example', 'Europe/Madrid'));
  for (const copy of [sites, other, sites, other]) await copy.refresh();
  expect(said).toEqual({ sites: ['a.example', 'b.example'], other: ['a.example', 'b.example'] });
});

test('a site that another copy made again is said to be removed by the change that finds it', async () => {
  const [sites, other] = [await openDirectory(store, now), await openDirectory(store, now)];
  await sites.add(site('a.example'));
  await other.refresh();
  const said: string[] = [];
  other.onRemoved((id) => said.push(id));
  await sites.remove(parseSiteId('a.example')!);
  await sites.add({ ...site('a.example'), createdAt: 1 });
  await other.change(parseSiteId('a.example')!, (before) => ({ ...before, timezone: 'Europe/Madrid' }));
  await other.refresh();
  expect(said).toEqual(['a.example']);
});

test('of changes at the same time none undoes another, and none brings back a site that is removed', async () => {
  const sites = await openDirectory(store, now);
  await sites.add(site('a.example'));
  const id = parseSiteId('a.example')!;
  await Promise.all([
    sites.change(id, (before) => ({ ...before, timezone: 'Europe/Madrid' })),
    sites.change(id, (before) => ({ ...before, domains: ['b.example'] })),
  ]);
  expect(table.get(id)).toMatchObject({ timezone: 'Europe/Madrid', domains: ['b.example'] });
  const changing = sites.change(id, (before) => ({ ...before, timezone: 'UTC' }));
  await Promise.all([changing, sites.remove(id)]);
  expect([sites.find('a.example'), table.get(id)]).toEqual([undefined, undefined]);
});

test('a refresh that began before a change does not undo it', async () => {
  const sites = await openDirectory(store, now);
  const before = [...table.values()];
  let answer = () => {};
  store.list = () =>
    new Promise((done) => {
      answer = () => done(before);
    });
  const refreshing = sites.refresh();
  await sites.add(site('new.example'));
  answer();
  await refreshing;
  expect(sites.find('new.example')).toBeDefined();
});

test('a site that another copy of the server has made since is not made again: its secrets stay', async () => {
  const [one, other] = [await openDirectory(store, now), await openDirectory(store, now)];
  await one.add({ ...site('a.example'), secretHash: 'of the first' });
  await expect(other.add({ ...site('a.example'), secretHash: 'of the second' })).rejects.toThrow('exists already');
  expect(table.get(parseSiteId('a.example')!)?.secretHash).toBe('of the first');
  expect(other.find('a.example')?.secretHash).toBe('of the first');
});

test('no site is made twice, none changed that is not there', async () => {
  const sites = await openDirectory(store, now);
  await sites.add(site('a.example'));
  await expect(sites.add(site('a.example'))).rejects.toThrow('exists already');
  await expect(replaceSite(sites, site('b.example'))).rejects.toThrow('There is no site');
});
