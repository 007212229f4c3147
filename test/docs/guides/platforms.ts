// docs/platforms.md: what each system makes of the snippets, its placeholders filled, shows lists.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getPHPLoaderModule } from '@php-wasm/node-8-3';
import { loadPHPRuntime, PHP } from '@php-wasm/universal';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePorts } from '../../support/ports.ts';
import { readGuide } from './guide.ts';
import { type GuidePages, titlesOf } from './guideStage.ts';

const guide = readGuide('platforms.md');

/** @returns the guide, with what of it was tried. */
export function testPlatforms(pages: GuidePages): typeof guide {
  describe('platforms.md', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'afterword-guides-'));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));
    /** A template as its generator fills it: lines of `with` and `end` go, placeholders become values. */
    const fill = (template: string, values: Record<string, string>): string =>
      Object.entries(values).reduce(
        (text, [name, value]) => text.replaceAll(`{{ ${name} }}`, value).replaceAll(`{{${name}}}`, value),
        template.replaceAll(/\{\{(?: with .*?| end |[#/]post)\}\}\n?/g, ''),
      );

    test('Ghost: code injection puts a list below the content of a post', async () => {
      const [head, foot] = [0, 1].map((number) => guide.block('Ghost', 'html', number));
      const article = '<article><section class="gh-content gh-canvas"><p>Flour.</p></section></article>';
      const { page } = await pages.open({ head: head!, body: `<div class="post-template">${article}</div>${foot}` });
      expect(await titlesOf(page, '.gh-content + .gh-canvas > [data-afterword]')).toHaveLength(4);
      const front = await pages.open({ head: head!, body: `<div class="home-template">${article}</div>${foot}` });
      expect(await front.page.locator('[data-afterword]').count()).toBe(0);
    });

    test('Ghost: a theme has the slot in its post', async () => {
      const values = { title: 'Bread', content: '<p>Flour.</p>', 'url absolute="true"': pages.post(3) };
      const body = fill(guide.block('Ghost', 'handlebars'), values);
      const { page, asked } = await pages.open({ head: guide.block('Ghost', 'html'), body });
      expect(await titlesOf(page)).toHaveLength(4);
      expect(asked[0]!.searchParams.get('url')).toBe(pages.post(3));
    });

    test('Hugo: the partial is the tag, the single page has the slot', async () => {
      const parameters = [...guide.block('Hugo', 'toml').matchAll(/^(\w+) = "(.*)"$/gm)];
      const values = Object.fromEntries(parameters.map(([, name, value]) => [`.${name}`, value!]));
      const [head, body] = [0, 1].map((number) =>
        fill(guide.block('Hugo', 'go-html-template', number), { ...values, '.Permalink': pages.post(4) }),
      );
      const { page, asked } = await pages.open({ head: head!, body: body! });
      expect(await titlesOf(page)).toHaveLength(4);
      expect(asked[0]!.searchParams.get('url')).toBe(pages.post(4));
    });

    const BUILD = 'Lists without JavaScript, made at build time';
    const bare = { javaScriptEnabled: false };

    test('Hugo: the address that a build fetches is a list without JavaScript', async () => {
      const template = guide.block(BUILD, 'go-html-template');
      const [, named = ''] = /querify (.*?) \}\}/.exec(template) ?? [];
      const words = named.split(' ').map((word) => {
        if (word === 'site.Params.afterword.site') return 'example.com';
        return word === '.Permalink' ? pages.post(5) : JSON.parse(word);
      });
      const pairs = words.flatMap((name, at) => (at % 2 === 0 ? [[name, words[at + 1]]] : []));
      const [, format = ''] = /printf "(.*?)" site\.Params\.afterword\.server \$query/.exec(template) ?? [];
      const address = format.replace('%s', pages.stage().server.url).replace('%s', `${new URLSearchParams(pairs)}`);
      const { page } = await pages.open({ body: await (await fetch(address)).text() }, bare);
      expect(await titlesOf(page)).toHaveLength(4);
    });

    test('Eleventy: the shortcode is a list without JavaScript, and nothing where there is no server', async () => {
      const code = guide.block(BUILD, 'js');
      const shortcode = async (file: string, text: string) => {
        await writeFile(join(folder, file), text);
        let called: ((kind: string, path: string) => Promise<string>) | undefined;
        const { default: configure } = await import(pathToFileURL(join(folder, file)).href);
        configure({ addAsyncShortcode: (_name: string, call: typeof called) => (called = call) });
        return called!;
      };
      const list = await (await shortcode('eleventy.config.mjs', pages.stage().here(code)))('related', '/post-6');
      expect(await titlesOf((await pages.open({ body: list }, bare)).page)).toHaveLength(4);
      const refused = pages.stage().here(code).replace("apikey: 'example.com'", "apikey: 'another.example'");
      expect(await (await shortcode('refused.mjs', refused))('top', '/post-6')).toBe('');
      const away = code.replace('https://stats.example.com', `http://127.0.0.1:${(await freePorts(1))[0]}`);
      expect(await (await shortcode('away.mjs', away))('top', '/post-6')).toBe('');
    });

    test('a frame shows the list', async () => {
      const { page } = await pages.open({ body: guide.block(BUILD, 'html') }, bare);
      const links = page.frameLocator('iframe').locator('a[href]');
      await links.first().waitFor();
      expect(await links.count()).toBe(5);
    });

    test('tag managers: the scripts they put into the page are the tag and the slot', async () => {
      const [tag, address, slot] = [0, 1, 2].map((number) => guide.block('Tag managers', 'html', number));
      for (const manager of [tag, address]) {
        const { page } = await pages.open({ body: `<main><article><p>Flour.</p></article></main>${manager}${slot}` });
        expect(await titlesOf(page, 'article + [data-afterword]')).toHaveLength(5);
      }
    });

    test('a search page finds posts by words and by an address, says that there is none, and that it is not answered', async () => {
      const { page } = await pages.open({ body: guide.block('A search page', 'html') });
      const { files } = pages.stage();
      const { pathname } = new URL(page.url());
      const search = async (words: string) => {
        files.set(`${pathname}?${new URLSearchParams({ q: words })}`, files.get(pathname)!);
        await page.fill('#q', words);
        await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
        await page.locator('#said:not(:empty)').waitFor();
        return [await page.textContent('#said'), ...(await page.locator('#found a').allTextContents())];
      };
      const [said, ...titles] = await search('rye');
      expect(said).toBe('Posts for “rye”');
      expect(titles.length).toBeGreaterThan(2);
      expect(await page.inputValue('#q')).toBe('rye');
      expect(await search(pages.post(3))).toHaveLength(2);
      expect(await page.locator('#found a').getAttribute('href')).toBe(pages.post(3));
      expect(await search('<b>xyzzy')).toEqual(['Nothing found for “<b>xyzzy”']);
      await page.route('**/v2/search*', (route) => route.abort());
      expect(await search('rye')).toEqual(['The search does not answer. Try again in a moment.']);
    });

    test('AMP: amp-list is given records that its template shows', async () => {
      // What AMP does with the element, without AMP: variables in the address, an array of the answer, a template for each of it.
      const amp = `<script type="module">
        const list = document.querySelector('amp-list');
        const address = list.getAttribute('src').replace('CANONICAL_URL', encodeURIComponent(document.querySelector('link[rel=canonical]').href));
        const records = (await (await fetch(address)).json())[list.getAttribute('items')];
        const template = list.querySelector('template').innerHTML;
        list.innerHTML = records.map((one) => template.replace(/{{(\\w+)}}/g, (_, name) => one[name])).join('');
      </script>`;
      const { page } = await pages.open({ body: guide.block('AMP', 'html', 0) + amp });
      expect(await titlesOf(page, 'amp-list')).toHaveLength(4);
      expect(await page.locator('amp-list a').first().getAttribute('href')).toContain(`${pages.stage().origin}/post-`);
      expect(await page.locator('amp-list small').first().textContent()).toBe('Kitchen');
    });

    test('AMP: the frame of amp-iframe shows the list', async () => {
      const encoded = (text: string) =>
        text.replace(encodeURIComponent('https://example.com/an-article'), encodeURIComponent(pages.post(7)));
      const frame = encoded(guide.block('AMP', 'html', 1)).replaceAll('amp-iframe', 'iframe');
      const { page } = await pages.open({ body: frame }, bare);
      const links = page.frameLocator('iframe').locator('a[href]');
      await links.first().waitFor();
      expect(await links.count()).toBe(4);
    });

    test('WordPress: the plugin file writes the tag and, below posts alone, the slot', async () => {
      const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
      php.writeFile('/plugin.php', guide.block('WordPress', 'php'));
      // As much of WordPress as the file meets.
      const { text, errors } = await php.run({
        code: `<?php
          function add_action($name, $call) { $GLOBALS['hooks'][$name] = $call; }
          function add_filter($name, $call) { add_action($name, $call); }
          function is_singular($type) { return $type === 'post' && $GLOBALS['single']; }
          function in_the_loop() { return true; }
          function is_main_query() { return true; }
          require '/plugin.php';
          ob_start(); $hooks['wp_head'](); $head = ob_get_clean();
          $single = false; $front = $hooks['the_content']('<p>Flour.</p>');
          $single = true; $body = $hooks['the_content']('<p>Flour.</p>');
          echo json_encode(compact('head', 'body', 'front'));`,
      });
      php.exit();
      expect(errors).toBe('');
      const { head, body, front } = JSON.parse(text) as Record<string, string>;
      expect(front).toBe('<p>Flour.</p>');
      const { page } = await pages.open({ head: head!, body: body! });
      expect(await titlesOf(page, 'p + [data-afterword]')).toHaveLength(4);
    });
  });
  return guide;
}
