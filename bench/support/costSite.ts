// A site for the cost bench: as many posts as one answer may hold, some thousand events, and the built server.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_RECORDS } from '../../server/contract/limits.ts';
import { BROWSER } from '../../test/support/beacons.ts';
import { runCommand } from '../../test/support/command.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../../test/support/server.ts';
import { generator, grow } from '../related/grow.ts';
import { readSite } from '../related/sites.ts';

/** More than the longest answer holds. */
export const POSTS = MAX_RECORDS + 100;
const BATCHES = 30;
const BATCH = 200;
const OFF = '1000000';

export interface CostSite {
  server: TestServer;
  site: TestSite;
  /** Secret of the partner `agency`. */
  partnerSecret: string;
}

export const addressOfPost = ({ apikey }: Pick<TestSite, 'apikey'>, number: number | string): string =>
  `https://${apikey}/articles/${number}`;

const RATES_OFF = ['--address-rate', OFF, '--site-rate', OFF, '--read-rate', OFF, '--new-urls', OFF];

/**
 * @param seed Decides texts and events.
 * @param flags Of `serve`. Default: no rate is bounded.
 * @param env Of `serve`, besides this process's own.
 */
export async function openCostSite(
  seed: number,
  flags: readonly string[] = RATES_OFF,
  env: Record<string, string> = {},
): Promise<CostSite> {
  const opened = await openUnreadSite(seed, flags, env);
  await sendEvents(opened.server, opened.site, seed);
  return opened;
}

/** The same posts, without events: for lists that count none. */
export async function openUnreadSite(
  seed: number,
  flags: readonly string[] = RATES_OFF,
  env: Record<string, string> = {},
): Promise<CostSite> {
  const server = await startServer({ flags, env });
  const site = await addSite(server, 'cost.example');
  const { secret } = await output<{ secret: string }>(server, ['partner', 'add', 'agency']);
  const file = join(server.dataDir, 'posts.ndjson');
  writeFileSync(file, postLines(site, seed));
  await output(server, ['import', 'posts', site.apikey, file]);
  rmSync(file);
  return { server, site, partnerSecret: secret };
}

async function output<T>(server: TestServer, words: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await runCommand([...words, '--json', '--data', server.dataDir]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

function postLines(site: TestSite, seed: number): string {
  const posts = [...grow(readSite('18f').posts, POSTS, seed)];
  return posts
    .map((post, number) =>
      JSON.stringify({
        canonical_url: addressOfPost(site, number),
        title: post.title,
        section: post.section,
        authors: post.authors,
        tags: post.tags,
        pub_date_tmsp: new Date(post.pubDate!).toISOString(),
        image_url: `https://${site.apikey}/images/${number}.jpg`,
        full_content: post.fullContent,
      }),
    )
    .join('\n');
}

async function sendEvents(server: TestServer, site: TestSite, seed: number): Promise<void> {
  const random = generator(seed);
  const sources = ['https://www.google.com/', 'https://www.facebook.com/', 'https://other.example/a', ''];
  for (let batch = 0; batch < BATCHES; batch++) {
    const events = Array.from({ length: BATCH }, () => ({
      idsite: site.apikey,
      action: 'pageview',
      url: `${addressOfPost(site, Math.floor(random() ** 2 * POSTS))}?utm_campaign=c${Math.floor(random() * 40)}`,
      urlref: sources[Math.floor(random() * sources.length)],
      data: { parsely_site_uuid: `reader-${Math.floor(random() * 500)}` },
    }));
    const init = { method: 'POST', headers: { 'User-Agent': BROWSER }, body: JSON.stringify({ events }) };
    const answer = await fetch(`${server.url}/events`, init);
    if (!answer.ok) throw new Error(`Events were answered ${answer.status}.`);
    await answer.arrayBuffer();
  }
  await allStored(server);
}
