// What the paper's lists brought, asked as an operator asks it: as `afterword lists` and `afterword experiment show`.
import type { Hono } from 'hono';
import type { ListInfo } from '../server/cli/admin/lists.ts';
import type { ShownExperiment } from '../server/cli/experimentLines.ts';
import type { SiteId } from '../server/sites/site.ts';

export const BROUGHT_DAYS = 30;

export interface Brought {
  /** By slot. */
  lists: ListInfo[];
  /** Absent: none runs or has ended. */
  experiment?: ShownExperiment;
}

/** @param experiment Name of one of the site. */
export async function askBrought(
  admin: Pick<Hono, 'request'>,
  { site, experiment }: { site: SiteId; experiment: string | undefined },
): Promise<Brought> {
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await admin.request(`/sites/${site}/${path}`);
    if (!answer.ok) throw new Error(`What lists brought is not known: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const lists = await ask<ListInfo[]>(`lists?group=slot&days=${BROUGHT_DAYS}&limit=10`);
  if (experiment === undefined) return { lists };
  return { lists, experiment: await ask<ShownExperiment>(`experiments/${experiment}`) };
}
