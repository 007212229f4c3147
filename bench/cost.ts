// The costliest request of each route, with and without a secret of the site: hill climbing over requests from the grammar of
// /openapi.json, measured by the processor time of the built server's main thread.
// npm run bench -- cost --minutes 10 --seed 1
import { parseArgs } from 'node:util';
import { PATHS } from '../server/app.ts';
import { createRouteNames } from '../server/metrics/routes.ts';
import type { OpenApi } from '../server/reference/openapi.ts';
import { removeDataDirs } from '../test/support/dataDir.ts';
import { getJson } from '../test/support/http.ts';
import { generator } from './related/grow.ts';
import { createGrammar, type Grammar, oneOf } from './support/costGrammar.ts';
import { type CostRequest, measure, numbered } from './support/costRequest.ts';
import { type CostSite, openCostSite, POSTS } from './support/costSite.ts';
import { type Bench, median } from './support/table.ts';

const OPTIONS = { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } } as const;
/** Milliseconds of processor time a request may cost. */
const BOUNDS = { anybody: 50, secret: 250 } as const;
/** Share of requests that are changes to the costliest of a route rather than new ones. */
const CLIMBING = 0.7;
/** A request that seems one of the costliest is sent so many times more, and at the end so many times again. */
const CONFIRMATIONS = 2;
const FINAL = 5;
/** So many of the costliest of a route are kept: what was costly because of a job in the background is not the end of a climb. */
const KEPT = 6;
const SHOWN = 110;

type Asker = keyof typeof BOUNDS;

interface Measured {
  asker: Asker;
  route: string;
  request: CostRequest;
  /** Milliseconds. */
  cost: number;
}

interface Search {
  /** By route and asker, costliest first. */
  costliest: Map<string, Measured[]>;
  sent: number;
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  const opened = await openCostSite(seed);
  try {
    const end = performance.now() + minutes * 60_000;
    const { costliest, sent } = await search(opened, { seed, isOver: () => performance.now() > end });
    const ranked = [...costliest.values()]
      .map((known) => known.reduce((one, other) => (other.cost > one.cost ? other : one)))
      .sort((a, b) => b.cost - a.cost);
    return report(ranked, `${sent} requests in ${minutes} minutes, seed ${seed}, to a site of ${POSTS} posts.`);
  } finally {
    await opened.server.stop();
    await removeDataDirs();
  }
};

const routeOf = createRouteNames(PATHS);

export default bench;

/** The costliest of each route so far is changed, and the change kept where it costs more. */
async function search(
  { server, site, partnerSecret }: CostSite,
  { seed, isOver }: { seed: number; isOver: () => boolean },
): Promise<Search> {
  const grammar = createGrammar(await getJson<OpenApi>(server, '/openapi.json'), site, partnerSecret);
  const secrets = [site.secret, site.write_secret, partnerSecret];
  const found: Search = { costliest: new Map(), sent: 0 };
  const costOf = async (request: CostRequest, times: number) => {
    const costs: number[] = [];
    while (costs.length < times) costs.push(await measure(server, numbered(request, found.sent++, POSTS)));
    return costs;
  };
  for (const request of requests(grammar, found, seed)) {
    if (isOver()) break;
    const asker = isSecret(request, secrets) ? 'secret' : 'anybody';
    const method = ['GET', 'POST'].includes(request.method) ? request.method : 'other methods of';
    const route = `${method} ${routeOf(request.target)}`;
    const key = `${asker} ${route}`;
    const known = found.costliest.get(key) ?? [];
    const least = known.length < KEPT ? -1 : known.at(-1)!.cost;
    let [cost] = (await costOf(request, 1)) as [number];
    // A collection of garbage makes one of them costlier.
    if (cost > least) cost = Math.min(cost, ...(await costOf(request, CONFIRMATIONS)));
    if (cost <= least) continue;
    const measured: Measured = { asker, route, request, cost };
    found.costliest.set(key, [...known, measured].sort((a, b) => b.cost - a.cost).slice(0, KEPT));
  }
  for (const measured of [...found.costliest.values()].flat()) {
    measured.cost = median(await costOf(measured.request, FINAL));
  }
  return found;
}

function* requests(grammar: Grammar, { costliest }: Search, seed: number): Generator<CostRequest> {
  yield* grammar.seeds;
  const dice = generator(seed);
  for (let turn = 0; ; turn++) {
    const known = [...costliest.values()];
    if (dice() < CLIMBING) yield grammar.changed(oneOf(oneOf(known, dice), dice).request, dice);
    else yield grammar.random(seed * 1_000_003 + turn);
  }
}

function isSecret({ target, body }: CostRequest, secrets: readonly string[]): boolean {
  const text = body === undefined ? '' : Buffer.from(body).toString('latin1');
  return secrets.some((secret) => target.includes(secret) || text.includes(secret));
}

function report(ranked: readonly Measured[], note: string): Awaited<ReturnType<Bench>> {
  const over = ranked.filter(({ asker, cost }) => cost > BOUNDS[asker]);
  if (over.length > 0) process.exitCode = 1;
  return {
    title: 'The costliest request of each route',
    columns: ['Method and route', 'who asks', 'ms', 'request', 'bytes of the body'],
    rows: ranked.map(({ asker, route, request, cost }) => [
      route,
      asker === 'secret' ? 'with a secret' : 'anybody',
      cost.toFixed(1),
      shown(request.target),
      Buffer.byteLength(request.body ?? ''),
    ]),
    notes: [
      note,
      `Milliseconds of processor time of the main thread, median of ${FINAL}. A request may cost ${BOUNDS.anybody} ms, with a secret ${BOUNDS.secret}: ${over.length === 0 ? 'none costs more' : `${over.length} cost more`}.`,
    ],
  };
}

function shown(target: string): string {
  const text = target.replaceAll(/secret=[^&]*/g, 'secret=…').replaceAll('|', '%7C');
  return text.length > SHOWN ? `\`${text.slice(0, SHOWN)}…\`` : `\`${text}\``;
}
