// A real server, the built command in a process of its own, with a site and its articles: what soak, overload and scale load.
import { postJson } from '../../test/support/http.ts';
import { readMetrics } from '../../test/support/metrics.ts';
import { addSite, type StartOptions, startServer, type TestServer, type TestSite } from '../../test/support/server.ts';

export interface LivePaper {
  server: TestServer;
  site: TestSite;
  /** Articles it has: what is viewed beside them is in no list of posts. */
  pages: number;
  /** Values of GET /metrics, by name without labels; several series of a name are added up. */
  metrics(): Promise<Map<string, number>>;
  /** Page views of all articles, as the API lists them. */
  views(): Promise<number>;
}

const WORDS = 'harbour ferry council budget school storm bridge market winter museum tram election bakery river'.split(
  ' ',
);

export async function openPaper(pages: number, options: StartOptions = {}): Promise<LivePaper> {
  const server = await startServer(options);
  const site = await addSite(server, 'bench.example');
  for (let page = 0; page < pages; page++) {
    const words = [0, 1, 2, 3].map((nth) => WORDS[(page * (nth + 3) + nth * nth) % WORDS.length]!);
    const metadata = {
      canonical_url: `https://${site.apikey}/articles/${page}`,
      title: `The ${words.join(' ')}, part ${page}`,
      section: words[0],
      authors: [`Author ${page % 40}`],
      tags: words.slice(1, 3),
      full_content: `${words.join(' and ')}. `.repeat(20),
    };
    await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
  }
  return { server, site, pages, metrics: () => readMetrics(server), views: () => countViews(server, site, pages) };
}

async function countViews({ url }: TestServer, { apikey, secret }: TestSite, pages: number): Promise<number> {
  const query = new URLSearchParams({ apikey, secret, period_start: '2d', limit: String(Math.min(pages, 2000)) });
  const { data } = (await (await fetch(`${url}/v2/analytics/posts?${query}`)).json()) as { data: { _hits: number }[] };
  return data.reduce((sum, { _hits }) => sum + _hits, 0);
}
