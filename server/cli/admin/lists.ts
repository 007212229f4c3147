// What lists brought, as commands print it.
import { Hono } from 'hono';
import type { Deps } from '../../context.ts';
import { BadParameters } from '../../http/errors.ts';
import { listQuestionParams, toListsQuestion } from '../../http/listQuestion.ts';
import { parseParams } from '../../http/params.ts';
import { urlsOf } from '../../http/postTraffic.ts';
import { readQuery } from '../../http/query.ts';
import { type ListFigures, rankLists } from '../../rankings/listFigures.ts';
import { CommandError } from '../commandError.ts';
import { requireSite } from './sites.ts';

export type ListInfo = Omit<ListFigures, 'hits'>;

export function listsAdmin({ sites, store, library, now }: Pick<Deps, 'sites' | 'store' | 'library' | 'now'>): Hono {
  const admin = new Hono();
  admin.get('/sites/:id/lists', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const excluded = new Set(await store.exclusions.list(site.id, now()));
    const query = readQuery(c.req.url);
    const unknown = [...query.keys()].filter((name) => !(name in listQuestionParams.shape));
    if (unknown.length > 0) throw new CommandError(`There is no ${unknown.join(', ')} to ask lists for.`, 2);
    const params = orSentence(() => parseParams(listQuestionParams, query));
    const urls = await urlsOf({ library }, { site, params });
    const question = orSentence(() => toListsQuestion(params, { site, now: now(), excluded, ...urls }));
    const { records } = await rankLists(store.traffic, question);
    return c.json(records.map(({ hits: _, ...record }): ListInfo => record));
  });
  return admin;
}

/** Options of the command by the parameters they are sent as; the others stand in `--where`. */
const OPTIONS: Readonly<Record<string, string>> = {
  ...{ group: '--group', sort: '--sort', limit: '--limit', days: '--days' },
  ...{ period_start: '--from', period_end: '--to' },
};

/** @throws {CommandError} where parameters are refused, naming each. */
function orSentence<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof BadParameters)) throw error;
    const complaints = Object.entries(error.complaints).map(
      ([name, sentences]) => `${OPTIONS[name] ?? `--where ${name}`}: ${sentences.join(' ')}`,
    );
    throw new CommandError(complaints.join('\n'), 2);
  }
}
