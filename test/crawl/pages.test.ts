// Pages as they occur in the wild, fetched over HTTP and read: the expected record of each.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSitePage } from '../../server/crawl/readSitePage.ts';
import { expectationOf, pageNames, servePages } from './pages.ts';
import { loopbackRules, loopbackSite, pageReaderFor } from './support.ts';

let server: Awaited<ReturnType<typeof servePages>>;
beforeAll(async () => {
  server = await servePages();
});
afterAll(() => server.close());

test('there are pages to read', () => {
  expect(pageNames.length).toBeGreaterThanOrEqual(40);
});

describe('a page is read as expected', () => {
  test.each(pageNames)('%s', async (name) => {
    server.show(name);
    const wanted = expectationOf(name, server.origin);
    const page = await readSitePage(loopbackSite, server.origin + wanted.at, pageReaderFor(loopbackRules));
    expect(page.patch, wanted.about).toMatchObject(wanted.post);
    expect(page.url).toBe(wanted.url);
    expect(page.sources).toMatchObject(wanted.sources ?? {});
    for (const part of wanted.textHolds ?? []) expect(page.patch.fullContent).toContain(part);
    for (const part of wanted.textLacks ?? []) expect(page.patch.fullContent).not.toContain(part);
    for (const part of wanted.notes ?? []) expect(page.notes.join('\n')).toContain(part);
  });
});
