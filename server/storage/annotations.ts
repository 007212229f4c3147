// Annotations that sites wrote as rows. Few and small: the newest version of each is read with FINAL.
import type { Annotation } from '../sites/annotations.ts';
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import { nextVersion } from './rowVersion.ts';

export interface AnnotationStore {
  /** Those of a site, the newest first; of a period (epoch milliseconds, both inclusive), or all. */
  list(site: SiteId, period?: { start: number; end: number }): Promise<Annotation[]>;
  /** Inserts or replaces. Durable once resolved. */
  save(site: SiteId, annotation: Annotation, now: number): Promise<void>;
  /** @returns undefined where the site has no such annotation. */
  remove(site: SiteId, id: string, now: number): Promise<Annotation | undefined>;
}

const COLUMNS = 'id, at, kind, label, url';

export function createAnnotationStore(engine: Engine): AnnotationStore {
  async function read(where: string, values: Record<string, unknown>): Promise<Annotation[]> {
    const sql = `SELECT ${COLUMNS} FROM annotations FINAL WHERE site = {site:String} AND deleted = 0 AND ${where} ORDER BY at DESC, id`;
    const rows = await engine.rows<Annotation>(sql, values);
    return rows.map((row) => ({ ...row, at: Number(row.at) }));
  }

  async function write(site: SiteId, annotation: Annotation, { now, deleted }: { now: number; deleted: 0 | 1 }) {
    const updated_at = await nextVersion(engine, 'annotations', { key: { site, id: annotation.id }, now });
    await engine.insert('annotations', [{ site, ...annotation, updated_at, deleted }]);
  }

  return {
    list: (site, period) =>
      period === undefined
        ? read('true', { site })
        : read('at BETWEEN {start:Int64} AND {end:Int64}', { site, ...period }),

    save: (site, annotation, now) => write(site, annotation, { now, deleted: 0 }),

    async remove(site, id, now) {
      const [found] = await read('id = {id:String}', { site, id });
      if (found !== undefined) await write(site, found, { now, deleted: 1 });
      return found;
    },
  };
}
