// docs/frameworks.md: applications built of its snippets show lists, and are hydrated in silence.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from '../../../server/posts/readPage/readPage.ts';
import { until } from '../../support/until.ts';
import { type Apps, buildApps } from './apps.ts';
import { readGuide } from './guide.ts';
import { type GuidePages, titlesOf } from './guideStage.ts';

const guide = readGuide('frameworks.md');

/** @returns the guide, with what of it was tried. */
export function testFrameworks(pages: GuidePages): typeof guide {
  describe('frameworks.md', () => {
    let apps: Apps;
    let built: string;
    beforeAll(async () => {
      built = await mkdtemp(join(tmpdir(), 'afterword-apps-'));
      apps = await buildApps(built, guide, pages.stage());
    });
    afterAll(() => rm(built, { recursive: true, force: true }));
    const ANY = 'What every application can do';
    const FOUND = /hydrated but some attributes/;
    const hydrate = (page: Page, name: string, at: string) => page.evaluate(`void hydrate('${name}', ${at})`);

    test('an application in the browser: a slot that comes later is found, and navigations count', async () => {
      const head = guide.block(ANY, 'html');
      const body = `<main></main><script>${guide.block(ANY, 'js')}</script>`;
      const { page, asked, events } = await pages.open({ head, body });
      await page.evaluate(`document.querySelector('main').innerHTML = '<div data-afterword="related"></div>'`);
      await titlesOf(page);
      const before = asked.length;
      await page.evaluate(
        `document.querySelector('link[rel=canonical]').href = '${pages.post(1)}'; history.pushState({}, '', '/post-1')`,
      );
      await until('the second view is reported', () => events.some(({ url }) => url === pages.post(1)));
      await until('the list is asked for anew', () => asked.length > before);
      expect(asked.at(-1)!.searchParams.get('url')).toBe(pages.post(1));
    });

    test('React: what a server has drawn is hydrated without a word, counts its view and shows the list', async () => {
      const { page, events, complaints } = await pages.open({
        body: `<div id="root">${await apps.draw('react')}</div>${apps.client}`,
      });
      await hydrate(page, 'react', 'document.getElementById("root")');
      expect(await titlesOf(page, 'article + [data-afterword]')).toHaveLength(4);
      expect(await until('the view is reported', () => events[0])).toMatchObject({
        action: 'pageview',
        url: pages.post(0),
      });
      expect(complaints).toEqual([]);
    });

    test('Next.js: the page that its server sends is read as a post, and shows the list', async () => {
      const html = pages.stage().here(`<!doctype html>${await apps.draw('next')}`);
      const read = readPage({ url: pages.post(0), html }, () => true);
      expect(read.url).toBe(`${pages.stage().origin}/articles/post-0`);
      expect(read.patch).toMatchObject({
        pageType: 'post',
        title: 'Bread & butter </script>',
        section: 'Kitchen',
        authors: ['Ada Quay', 'Mo Finch'],
        pubDate: Date.parse('2026-03-01T08:30:00Z'),
      });
      const opened = await pages.show(html.replace('</body>', `${apps.client}</body>`));
      await hydrate(opened.page, 'next', 'document');
      expect(await titlesOf(opened.page)).toHaveLength(4);
      expect(opened.complaints).toEqual([]);
    });

    test('Vue: the component starts the widget when it is mounted', async () => {
      const [, template = ''] = /<template>\n(.*)<\/template>/s.exec(guide.block('Vue', 'vue')) ?? [];
      const { page } = await pages.open({ body: template + apps.vue });
      expect(await titlesOf(page, 'article + [data-afterword]')).toHaveLength(4);
      const isElement = runInNewContext(`(${guide.block('Vue', 'js').replace(/;\s*$/, '')})`, {
        vue: (options: { template: { compilerOptions: { isCustomElement(tag: string): boolean } } }) =>
          options.template.compilerOptions.isCustomElement,
      });
      expect(['afterword-related', 'afterword-top', 'article'].map(isElement)).toEqual([true, true, false]);
    });

    test.each([
      ['early', 0],
      ['react', 1],
    ] as const)('hydration after the tag has kept room: %s, %d lines in the console', async (name, lines) => {
      const head = guide.block(ANY, 'html').replace('async ', '');
      const { page, complaints } = await pages.open({
        head,
        body: `<div id="root">${await apps.draw(name)}</div>${apps.client}`,
      });
      await page.locator('[data-afterword][style]').waitFor();
      await hydrate(page, name, 'document.getElementById("root")');
      expect(await titlesOf(page)).toHaveLength(4);
      expect(complaints.filter((line) => FOUND.test(line))).toHaveLength(lines);
      expect(complaints).toHaveLength(lines);
    });
  });
  return guide;
}
