// docs/consent.md: no id before a yes, one after it.
import { describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { readGuide } from './guide.ts';
import { type GuidePages, type Opened, titlesOf } from './guideStage.ts';

const guide = readGuide('consent.md');

/** @returns the guide, with what of it was tried. */
export function testConsent(pages: GuidePages): typeof guide {
  describe('consent.md', () => {
    const BANNER = 'A banner of your own';
    const slot = '<div data-afterword="related" data-limit="3"></div>';
    const databases = ({ page }: Opened) =>
      page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));

    /** Shows the list, and waits for a yes: nothing before it, an id and a view after it, and nothing is left after a no. */
    async function expectConsent(page: Opened, answer: (yes: boolean) => Promise<unknown>): Promise<void> {
      expect(await titlesOf(page.page)).toHaveLength(3);
      expect(page.asked.map(({ searchParams }) => searchParams.get('uuid'))).toEqual([null]);
      expect(await databases(page)).toEqual([]);
      const said = Date.now();
      await answer(true);
      const view = await until('the view is reported', () => page.events[0]);
      expect(view).toMatchObject({
        action: 'pageview',
        data: { parsely_site_uuid: expect.stringMatching(/^\w{32}$/) },
      });
      expect(view.date).toBeGreaterThanOrEqual(said);
      expect(await databases(page)).toEqual(['afterword']);
      await answer(false);
      await until('nothing is left on the device', async () => (await databases(page)).length === 0);
    }

    test('a banner of your own: no id before its callback says yes, one after it', async () => {
      const banner = '<script>cookieBanner = { onChange(call) { choose = call } }</script>';
      const head = guide.block(BANNER, 'html', 0) + banner + guide.block(BANNER, 'html', 1);
      const page = await pages.open({ head, body: slot });
      await expectConsent(page, (yes) => page.page.evaluate(`choose({ statistics: ${yes} })`));
    });

    test('a consent manager: no id before the purposes are agreed to, one after it', async () => {
      // As much of a manager as the listener sees: it shows its questions, then says what was answered.
      const manager = `<script>__tcfapi = (command, version, listener) => {
        listener({ eventStatus: 'cmpuishown', purpose: { consents: {} } }, true);
        answer = (...purposes) => listener({ eventStatus: 'useractioncomplete', gdprApplies: true,
          purpose: { consents: Object.fromEntries(purposes.map((one) => [one, true])) } }, true);
      }</script>`;
      const head = manager + guide.block("A consent manager with the IAB's TCF", 'html');
      const page = await pages.open({ head, body: slot });
      await expectConsent(page, (yes) => page.page.evaluate(`answer(1, ${yes ? '5, 6, 8' : '8'})`));
    });

    test('Global Privacy Control: a yes that is passed on makes an id, one that is held back does not', async () => {
      const tag = guide.block(BANNER, 'html', 0);
      const held = guide.block('Global Privacy Control and Do Not Track', 'html');
      const init = () => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
      const ids: unknown[] = [];
      for (const head of [tag, tag + held, tag.replace(' data-consent="required"', '')]) {
        const page = await pages.open({ head, body: slot }, { init });
        await titlesOf(page.page);
        if (head.includes('required')) await page.page.evaluate('tellAfterword(true)');
        ids.push(await page.page.evaluate('new Promise((done) => afterword.push((api) => done(api.visitor())))'));
        if (!head.includes('required')) {
          const view = await until('the view is reported', () => page.events[0]);
          expect(view).toMatchObject({ data: { parsely_site_uuid: 'OPTOUT' } });
        }
      }
      expect(ids).toEqual([expect.stringMatching(/^\w{32}$/), undefined, undefined]);
    });

    test('Global Privacy Control: a yes after the view leaves it without an id, and what follows has one', async () => {
      const head = guide.block(BANNER, 'html', 0).replace(' data-consent="required"', '');
      const init = () => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
      const page = await pages.open({ head, body: slot }, { init });
      const idOf = async (action: string) => {
        const event = await until(`${action} is reported`, () => page.events.find((one) => one.action === action));
        return event.data?.parsely_site_uuid;
      };
      expect(await idOf('pageview')).toBe('OPTOUT');
      await page.page.evaluate('tellAfterword(true)');
      await page.page.evaluate("afterword.push((api) => api.conversion('newsletter_signup'))");
      expect(await idOf('conversion')).toMatch(/^\w{32}$/);
      await page.page.evaluate('afterword.push((api) => api.refresh())');
      await until('the list is asked for with the id', () => page.asked.find((one) => one.searchParams.has('uuid')));
      expect(page.events.filter(({ action }) => action === 'pageview')).toHaveLength(1);
    });

    test('a no without `data-consent`: no id, a view without one, and the list', async () => {
      const tag = guide.block(BANNER, 'html', 0).replace(' data-consent="required"', '');
      const page = await pages.open({ head: `${tag}<script>tellAfterword(false)</script>`, body: slot });
      expect(await titlesOf(page.page)).toHaveLength(3);
      expect(page.asked.map(({ searchParams }) => searchParams.get('uuid'))).toEqual([null]);
      const view = await until('the view is reported', () => page.events[0]);
      expect(view).toMatchObject({ action: 'pageview', data: { parsely_site_uuid: 'OPTOUT' } });
      expect(await databases(page)).toEqual([]);
    });

    test('a query that says who reads is taken off before the view is reported', async () => {
      const { stage, post } = pages;
      const html = (head: string) => stage().here(`<!doctype html><title>Confirmed</title>${head}${slot}`);
      const address = '/confirmed?email=jane%40example.com';
      const said = async (head: string) => {
        stage().files.set(address, { body: html(head) });
        const { page, events } = await pages.show(html(head));
        events.length = 0;
        await page.goto(new URL(address, post(0)).href);
        return (await until('the view is reported', () => events.find(({ url }) => url?.includes('/confirmed'))))!.url;
      };
      expect(await said(guide.block(BANNER, 'html', 0).replace(' data-consent="required"', ''))).toContain('email=');
      expect(await said(guide.block('On the server', 'html'))).toBe(new URL('/confirmed', post(0)).href);
    });
  });
  return guide;
}
