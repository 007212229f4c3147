// Sitemaps that name others: followed within bounds, newest first, each page once. The answers of the server are what the test says.
import { describe, expect, test } from 'vitest';
import type { SitemapAnswer, SitemapRequest } from '../../server/cli/admin/sitemaps.ts';
import { CommandError } from '../../server/cli/commandError.ts';
import { listPages } from '../../server/cli/fill/listPages.ts';
import type { Reach } from '../../server/cli/reach.ts';

type File = Partial<SitemapAnswer> | CommandError;

const entry = (path: string, changed: number | null = null) => ({
  url: `https://a.example${path}`,
  changed,
  title: '',
});
const index = (...entries: ReturnType<typeof entry>[]): File => ({ format: 'sitemap index', entries });
const pages = (...entries: ReturnType<typeof entry>[]): File => ({ format: 'sitemap', entries });

/** @param files Path → what it holds, or what is made of the path. */
function reachOf(files: Record<string, File> | ((path: string) => File)) {
  const asked: string[] = [];
  const reach: Pick<Reach, 'ask'> = {
    async ask<T>(_method: string, _path: string, body?: unknown): Promise<T> {
      const path = new URL((body as SitemapRequest).url).pathname;
      asked.push(path);
      const file =
        typeof files === 'function' ? files(path) : (files[path] ?? new CommandError(`${path} answers 404.`));
      if (file instanceof CommandError) throw file;
      const answer: SitemapAnswer = {
        site: 'a.example',
        format: 'sitemap',
        entries: [],
        notes: [],
        fetched: path,
        bytes: 0,
        foreign: 0,
        malformed: 0,
        ...file,
      };
      return answer as T;
    },
  };
  return { asked, reach: reach as Reach };
}

const list = (reach: Reach, limit = 1000) =>
  listPages(reach, { urls: ['https://a.example/index'], site: undefined, limit });

describe('an index', () => {
  test('is followed three deep and no deeper, and one that names itself is read once', async () => {
    const { reach, asked } = reachOf({
      '/index': index(entry('/index'), entry('/1'), entry('/pages')),
      '/1': index(entry('/2')),
      '/2': index(entry('/3')),
      '/3': index(entry('/4')),
      '/4': pages(entry('/too-deep')),
      '/pages': pages(entry('/a')),
    });
    const { pages: found, notes } = await list(reach);
    expect(found.map(({ url }) => url)).toEqual(['https://a.example/a']);
    expect(asked.sort()).toEqual(['/1', '/2', '/3', '/index', '/pages']);
    expect(notes).toEqual(['/3: indexes are followed 3 deep; this one is deeper.']);
  });

  test('that names sitemaps without end is read to a number of files', async () => {
    let files = 0;
    const { reach, asked } = reachOf((path) => {
      if (path === '/index') return index(...Array.from({ length: 50_000 }, (_, number) => entry(`/s${number}`)));
      return pages(entry(`/page${files++}`));
    });
    const { pages: found, notes } = await list(reach);
    expect(asked).toHaveLength(500);
    expect(found).toHaveLength(499);
    expect(notes).toEqual(['49501 files not read: at most 500 are.']);
  });

  test('whose files are dated is read newest first, until enough pages are found', async () => {
    const { reach, asked } = reachOf({
      '/index': index(entry('/2023', 2023), entry('/2025', 2025), entry('/2024', 2024)),
      '/2023': pages(entry('/c', 2023)),
      '/2024': pages(entry('/b', 2024), entry('/b2', 2024)),
      '/2025': pages(entry('/a', 2025)),
    });
    const { pages: found, files } = await list(reach, 2);
    expect(asked).toEqual(['/index', '/2025', '/2024']);
    expect({ found: found.map(({ changed }) => changed), files }).toEqual({ found: [2025, 2024], files: 3 });
  });

  test('with a file that cannot be read lists the pages of the others', async () => {
    const { reach } = reachOf({ '/index': index(entry('/missing'), entry('/there')), '/there': pages(entry('/a')) });
    const { pages: found, notes } = await list(reach);
    expect({ found: found.length, notes }).toEqual({ found: 1, notes: ['/missing answers 404.'] });
  });
});

test('of sitemaps that the site names itself one that cannot be read costs its own pages', async () => {
  const { reach } = reachOf({ '/there': pages(entry('/a')) });
  const urls = ['https://a.example/missing', 'https://a.example/there'];
  const { pages: found, notes } = await listPages(reach, { urls, found: true, site: 'a.example', limit: 10 });
  expect({ found: found.length, notes }).toEqual({ found: 1, notes: ['/missing answers 404.'] });
  const none = listPages(reach, { urls: urls.slice(0, 1), found: true, site: 'a.example', limit: 10 });
  await expect(none).rejects.toThrow('No page of the site is listed.\n  /missing answers 404.');
});

test('a page that two files list is listed once, as new as the newer says', async () => {
  const { reach } = reachOf({
    '/index': index(entry('/one'), entry('/two')),
    '/one': pages(entry('/a', 1), entry('/b', 2), entry('/none')),
    '/two': pages(entry('/a', 3), entry('/b')),
  });
  const { pages: found } = await list(reach);
  expect(found.map(({ url, changed }) => [url.slice(-2), changed])).toEqual([
    ['/a', 3],
    ['/b', 2],
    ['ne', null],
  ]);
});

test('a file that was asked for and cannot be read, or lists no page of the site, is an error', async () => {
  await expect(list(reachOf({}).reach)).rejects.toThrow('/index answers 404.');
  const nothing = reachOf({ '/index': { entries: [], foreign: 3, malformed: 1 } });
  await expect(list(nothing.reach)).rejects.toThrow(
    /^No page of the site is listed\.\n {2}left out: 3 on hosts that are not the site's; .*\n {2}left out: 1 without a web address$/,
  );
});
