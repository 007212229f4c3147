// How much each site has in the tables, and the removal of all of it, of sites that were removed before, too.
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import type { Deps } from '../../context.ts';
import type { LoadedLibrary } from '../../siteIndex/types.ts';
import type { PurgedTable, SiteSize } from '../../storage/store.ts';
import { CommandError } from '../commandError.ts';
import { forgetImportsOf } from '../transfer/ledger.ts';
import { findSetAside, type SetAside, type SettleDeps, settle } from './settle.ts';
import { requireId } from './sites.ts';

export type SiteSizeDeps = Pick<Deps, 'sites' | 'store'> &
  SettleDeps & {
    /** The data folder. */
    data: string;
    library: Pick<LoadedLibrary, 'forget'>;
  };

/** @property max_disk Bytes it may have; null: no limit, or no site any more. */
export type SizeInfo = SiteSize & { max_disk: number | null };

export interface Purged {
  apikey: string;
  rows: number;
  tables: PurgedTable[];
  /** Acknowledged events, of whatever site, that are in no table yet: some may be of this one. */
  waiting: number;
  /** What was not looked at. */
  aside?: SetAside | undefined;
}

/** What was under way when the site was removed, such as a page being read, may store a row after the first pass. */
const MOST_PASSES = 4;
const BETWEEN_MS = 500;

export function siteSizeAdmin({ sites, store: { siteSizes }, data, library, ingest, spool }: SiteSizeDeps): Hono {
  const admin = new Hono();

  admin.get('/site-sizes', async (c) => {
    const site = c.req.query('site');
    const sizes = await siteSizes.read(site === undefined ? undefined : requireId(site));
    const max = (id: string) => sites.find(id)?.quotas?.maxDisk ?? null;
    return c.json(sizes.map((size): SizeInfo => ({ ...size, max_disk: max(size.site) })));
  });

  admin.delete('/site-rows/:id', async (c) => {
    const id = requireId(c.req.param('id'));
    const site = sites.find(id);
    const [before] = await siteSizes.read(id);
    if (site === undefined && before === undefined)
      throw new CommandError(`There is no site ${id}, and no row of one. Those there are: afterword site size`);
    if (site !== undefined) await sites.remove(id);
    library.forget(id);
    await forgetImportsOf(data, id);
    const waiting = await settle({ ingest, spool });
    const aside = await findSetAside({ spool });
    const found: PurgedTable[] = [...(site === undefined ? [] : (before?.tables ?? []))];
    for (let passes = 0; passes < MOST_PASSES; passes++) {
      const purged = await siteSizes.purge(id);
      if (passes > 0 && purged.length === 0) break;
      found.push(...purged);
      await sleep(BETWEEN_MS);
    }
    const tables = sum(found);
    return c.json({ apikey: id, rows: rowsOf(tables), tables, waiting, aside } satisfies Purged);
  });

  return admin;
}

const rowsOf = (tables: readonly PurgedTable[]) => tables.reduce((all, { rows }) => all + rows, 0);

function sum(tables: readonly PurgedTable[]): PurgedTable[] {
  const rows = new Map<string, number>();
  for (const each of tables) rows.set(each.table, (rows.get(each.table) ?? 0) + each.rows);
  return [...rows].map(([table, count]) => ({ table, rows: count }));
}
