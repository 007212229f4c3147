// The plugin file that points wp-parsely here, run by PHP: what it makes of each address is then asked of a server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { getPHPLoaderModule } from '@php-wasm/node-8-3';
import { loadPHPRuntime, PHP } from '@php-wasm/universal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/build.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const SERVER = 'https://stats.example.com';
const NOW = Date.UTC(2031, 4, 6, 12);

let php: PHP;
let newsroom: Newsroom;

/** @returns what the PHP code returns, with the plugin loaded. */
async function run(code: string, server: string | null = SERVER): Promise<unknown> {
  const define = server === null ? '' : `define('AFTERWORD_URL', ${JSON.stringify(server)});`;
  const main = `<?php ${define} require '/wordPress.php'; require '/plugin.php'; echo json_encode((function () { global $requests; ${code} })());`;
  const { text, errors, exitCode } = await php.run({ code: main });
  expect([errors, exitCode]).toEqual(['', 0]);
  return JSON.parse(text);
}

beforeAll(async () => {
  newsroom = await openNewsroom({ now: NOW, id: 'paper.example' });
  php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
  const files = {
    '/wordPress.php': 'test/support/wordPress.php',
    '/plugin.php': 'docs/wordpress/afterword-for-wp-parsely.php',
  };
  for (const [path, file] of Object.entries(files)) php.writeFile(path, readFileSync(join(root, file)));
});
afterAll(async () => {
  php?.exit();
  await newsroom?.close();
});

/** Asks the server for what the plugin wants of it. */
const ask = (url: string): Promise<Response> => Promise.resolve(newsroom.app.request(url.replace(SERVER, '')));

describe('the plugin file for wp-parsely', () => {
  it('sends what PHP asks of the API to the server, with method, headers and body', async () => {
    const [answer, requests] = (await run(`
      $answer = wp_remote_post('https://api.parsely.com/v2/metadata/posts', array('body' => '{"a":1}', 'blocking' => false));
      return array($answer, $requests);`)) as [object, object[]];
    expect(answer).toEqual({ body: `answer of ${SERVER}/v2/metadata/posts` });
    expect(requests).toEqual([
      {
        url: `${SERVER}/v2/metadata/posts`,
        method: 'POST',
        body: '{"a":1}',
        blocking: false,
        reject_unsafe_urls: false,
      },
    ]);
  });

  it('asks the server the questions the plugin asks, and is answered', async () => {
    const keys = `apikey=paper.example&secret=${newsroom.secret}`;
    const asked = [
      `validate/secret?${keys}`,
      `analytics/posts?${keys}&period_start=7d&sort=views`,
      `analytics/post/detail?${keys}&url=https://paper.example/a`,
      `referrers/post/detail?${keys}&url=https://paper.example/a`,
      `related?${keys}&url=https://paper.example/a&limit=5&sort=score&boost=views`,
    ];
    const requests = (await run(`
      foreach (${phpList(asked)} as $path) wp_safe_remote_get('https://api.parsely.com/v2/' . $path);
      return $requests;`)) as { url: string; reject_unsafe_urls: boolean }[];
    expect(requests.map(({ url }) => url)).toEqual(asked.map((path) => `${SERVER}/v2/${path}`));
    expect(requests.map(({ reject_unsafe_urls }) => reject_unsafe_urls)).not.toContain(true);
    for (const { url } of requests) expect(await (await ask(url)).json(), url).toMatchObject({ success: true });
  });

  it.each([
    ['the tracker', 'https://cdn.parsely.com/keys/paper.example/p.js?ver=3.17', '/keys/paper.example/p.js?ver=3.17'],
    [
      'the widget’s address',
      'https://api.parsely.com/v2/related?apikey=paper.example&limit=5',
      '/v2/related?apikey=paper.example&#038;limit=5',
    ],
    ['the resource hint', '//cdn.parsely.com', ''],
  ])('writes %s into pages with the server’s host', async (_, url, path) => {
    expect(await run(`return esc_url('${url}');`)).toBe(SERVER + path);
    expect(await run(`return apply_filters('script_loader_src', '${url}', 'handle');`)).toBe(
      SERVER + path.replace('#038;', ''),
    );
  });

  it.each([
    'https://paper.example/api.parsely.com/v2',
    'https://api.parsely.com.evil.example/v2',
    'https://content-suggestions-api.parsely.com/prod',
    'https://dash.parsely.com/paper.example',
    '/wp-content/plugins/wp-parsely/build/loader.js',
    '',
  ])('leaves %j alone', async (url) => {
    expect(await run(`wp_remote_request('${url}'); return array(esc_url('${url}'), $requests[0]['url']);`)).toEqual([
      url,
      url,
    ]);
  });

  // The loader calls the vendor's /profile where the page has the Site ID: under one of these names, by its version.
  it.each(['wpParselySiteId', 'wpParselySiteID', 'wpParselyApiKey'])(
    'keeps readers’ ids and pages from the vendor: %s',
    async (name) => {
      const scripts = (await run(`
        add_action('wp_enqueue_scripts', function () {
          wp_add_inline_script('wp-parsely-loader', "window.${name} = 'paper.example';", 'before');
        });
        do_action('wp_enqueue_scripts');
        global $inline;
        return $inline['wp-parsely-loader']['before'];`)) as string[];
      const window: Record<string, string> = {};
      for (const script of scripts) new Script(script).runInNewContext({ window });
      expect([scripts.length, typeof window[name]]).toEqual([2, 'undefined']);
    },
  );

  it('points the AMP pages’ pixels at the server, in both forms, and adds none to pages without', async () => {
    const config = `array('vars' => array('apikey' => 'paper.example'))`;
    const wanted = { vars: { apikey: 'paper.example' }, requests: { host: SERVER } };
    expect(
      await run(`return array(
        apply_filters('amp_post_template_analytics', array('parsely' => array('type' => 'parsely', 'config_data' => ${config}))),
        apply_filters('amp_analytics_entries', array('parsely' => array('type' => 'parsely', 'config' => json_encode(${config})))),
        apply_filters('amp_analytics_entries', array('other' => array('config' => '{}'))));`),
    ).toEqual([
      { parsely: { type: 'parsely', config_data: wanted } },
      { parsely: { type: 'parsely', config: JSON.stringify(wanted).replaceAll('/', '\\/') } },
      { other: { config: '{}' } },
    ]);
  });

  it('points the pixels of Web Stories at the server, and leaves what others print there', async () => {
    const config = '{"vars":{"apikey":"paper.example"}}';
    const printed = (type: string, json: string) =>
      `<amp-analytics type="${type}">\n<script type="application/json">\n${json}</script></amp-analytics>`;
    const all = printed('other', config) + printed('parsely', config);
    const story = (await run(`
      add_action('web_stories_print_analytics', function () { echo ${JSON.stringify(all).replaceAll('$', '\\$')}; });
      ob_start();
      do_action('web_stories_print_analytics');
      return ob_get_clean();`)) as string;
    const [, other, json] = /^(.*)<amp-analytics type="parsely">\s*<script[^>]*>(.*)<\/script><\/amp-analytics>$/s.exec(
      story,
    )!;
    expect(other).toBe(printed('other', config));
    expect(JSON.parse(json!)).toEqual({ vars: { apikey: 'paper.example' }, requests: { host: SERVER } });
  });

  it('takes an address with a path and a slash at its end, and does nothing without one', async () => {
    const code = `return esc_url('https://cdn.parsely.com/keys/a/p.js');`;
    expect(await run(code, `${SERVER}/afterword/`)).toBe(`${SERVER}/afterword/keys/a/p.js`);
    expect(await run(code, null)).toBe('https://cdn.parsely.com/keys/a/p.js');
  });
});

const phpList = (texts: readonly string[]): string => `array(${texts.map((text) => `'${text}'`).join(', ')})`;
