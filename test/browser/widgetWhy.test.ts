// Why a list does not show: one sentence in the console, without being asked, that names the slot, the cause and what
// to do.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type Answer, articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const RELATED = '<div id="after-article" data-afterword="related"></div>';
const EMPTY = json({ data: [], success: true });

describeInBrowser('the console says why a list', (browser) => {
  let stage: Stage;
  let page: Page;
  let said: string[];
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
    said = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') said.push(message.text());
    });
  });

  async function open(body: string, answer?: Answer, headers: Record<string, string> = {}): Promise<string[]> {
    if (answer) for (const path of ['/v2/related', '/v2/top']) stage.answer(path, answer);
    await page.goto(stage.page(`/page-${pages++}`, articlePage(stage, body), headers));
    await until('something is said', () => said.length > 0);
    return said;
  }

  const CAUSES: Record<string, [body: string, answer: Answer, sentence: (host: string) => string]> = {
    'is empty on a site that is new': [
      RELATED,
      EMPTY,
      (host) =>
        'the related list (#after-article) is empty: no other post of example.com is known yet. ' +
        `Pages become known about 10 s after they are first viewed; ${host}/preview checks a page.`,
    ],
    'is empty, and names one that has no id': [
      '<afterword-top data-limit="3"></afterword-top>',
      EMPTY,
      () =>
        'the top list (<afterword-top data-limit="3" data-afterword="top"></afterword-top>) is empty: no known post of ' +
        'example.com was viewed in 24 hours; data-days looks further back.',
    ],
    'is empty where nothing is related, and it is not to be filled up': [
      '<div id="a" data-afterword="related" data-respect_empty_results="1" data-days="3"></div>',
      EMPTY,
      () => 'the related list (#a) is empty: no post of example.com passes data-respect_empty_results, data-days.',
    ],
    'is empty by its filters': [
      '<div id="a" data-afterword="top" data-section="Sprots" data-tag="x"></div>',
      EMPTY,
      () => 'the top list (#a) is empty: no post of example.com passes data-section, data-tag.',
    ],
    'is refused for the wrong Site ID, or where its lists are switched off': [
      RELATED,
      json({ code: 403, message: 'Forbidden', success: false }),
      (host) =>
        `the related list (#after-article) is refused: ${host}/ has no site "example.com", or its lists are off.`,
    ],
    'is refused for a parameter, in the words of the server': [
      '<div id="a" data-afterword="top" data-days="400"></div>',
      json({
        code: 422,
        errors: { days: ['Give a whole number from 1 to 31.'] },
        message: 'Bad parameters: days',
        success: false,
      }),
      () => 'the top list (#a) is refused: days: Give a whole number from 1 to 31.',
    ],
    'is refused by a server that is busy': [
      RELATED,
      json({ code: 503, message: 'Service Unavailable', success: false }),
      () => 'the related list (#after-article) is refused: 503 Service Unavailable',
    ],
    'has no answer from a server that is away': [
      RELATED,
      (_, response) => void response.destroy(),
      (host) =>
        `the related list (#after-article) has no answer: ${host}/ is away or blocked. ` +
        "A page's policy names it in connect-src and script-src.",
    ],
  };
  it.each(Object.keys(CAUSES))('%s', async (name) => {
    const [body, answer, sentence] = CAUSES[name]!;
    expect(await open(body, answer)).toEqual([`afterword: ${sentence(stage.host)}`]);
  });

  it.each([
    [
      'of an unknown kind',
      'data-afterword="popular"',
      'the popular list (#a) is of no known kind: use related or top.',
    ],
    [
      'of an unknown layout',
      'data-afterword="top" data-layout="cards"',
      'the top list (#a) has no layout "cards": use list, grid, row or compact.',
    ],
  ])('%s is not what was meant', async (_, attributes, sentence) => {
    expect(await open(`<div id="a" ${attributes}></div>`)).toEqual([`afterword: ${sentence}`]);
  });

  it('is blocked by the policy of the page', async () => {
    const policy = `default-src 'none'; connect-src 'none'; script-src 'nonce-abc' ${stage.host}/afterword.js ${stage.host}/list- ${stage.host}/page- ${stage.host}/both-`;
    const parts = stage.calls;
    await page.route(`${stage.host}/v2/**`, (route) => route.abort());
    await open(RELATED, undefined, {
      'Content-Security-Policy': policy.replace(/ \S+afterword\.js.*$/, ` ${stage.host}`),
    });
    expect(parts.length).toBeGreaterThan(0);
    expect(said.filter((text) => text.startsWith('afterword:'))).toEqual([
      expect.stringContaining("is away or blocked. A page's policy names it in connect-src and script-src."),
    ]);
  });

  it('for each slot once, and nothing of one that shows', async () => {
    stage.answer('/v2/top', json({ data: records(5, stage.site), success: true }));
    stage.answer('/v2/related', json({ code: 403, message: 'Forbidden', success: false }));
    await open(`${RELATED}<div id="b" data-afterword="related"></div><div data-afterword="top"></div>`);
    await until('both are said', () => said.length === 2);
    await page.locator('[data-afterword=top] a').first().waitFor();
    expect(said.map((text) => /\((.*?)\)/.exec(text)![1]).sort()).toEqual(['#after-article', '#b']);
  });

  it('is refused, as text of one line, whatever the server says', async () => {
    const hostile = `%c<img src=x>\n\nafterword: all is well\u202e ${'x'.repeat(5000)}`;
    const [text] = await open(RELATED, json({ code: 500, message: hostile, success: false }));
    expect(text).toHaveLength(500);
    expect(text).not.toContain('\n');
    expect(text).toContain('is refused: 500 %c<img src=x> afterword: all is well');
  });
});
