// Who sent an event: phones, tablets and computers are distinguished at the doors, bots by name, and readers are never
// taken for bots.
import { describe, expect, test } from 'vitest';
import { AgentReader } from '../../server/ingest/steps/agent.ts';
import { BOT_NAMES } from '../../server/ingest/steps/agentNames.ts';
import { cpuTime } from '../support/cpuTime.ts';
import { newPage, newsroom } from './newsroom.ts';

const room = newsroom();
const { post, count } = room;

const dalvik = (model: string, android = '14') =>
  `Dalvik/2.1.0 (Linux; U; Android ${android}; ${model} Build/UQ1A.240105.004)`;
const ANDROID = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC_SAFARI = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.1 Safari/605.1.15`;

const PHONES = [
  ...['Pixel 8', 'Pixel 9 Pro Fold', 'SM-G991B', 'SM-S928B', 'SM-A546E', 'SM-F946B', 'SM-N986U', 'moto g power'].map(
    (model) => dalvik(model),
  ),
  ...['2201117TG', 'M2101K6G', '23021RAAEG', 'CPH2581', 'RMX3686', 'V2250', 'XQ-DQ72', 'ELE-L29', 'VOG-L29'].map(
    (model) => dalvik(model, '13'),
  ),
  ...['Nokia G42 5G', 'ONEPLUS A6013', 'NE2215', 'Nothing Phone (2)', 'LM-G710', 'Redmi Note 8 Pro'].map((model) =>
    dalvik(model, '12'),
  ),
  'okhttp/4.12.0',
  'ExampleNews/7.2 (Android 14; SM-G991B) okhttp/4.9.3',
  'ExampleNews/512 CFNetwork/1494.0.7 Darwin/23.4.0',
  'ExampleNews/5.1 (com.example.news; build:512; iOS 17.4.1) Alamofire/5.9.1',
  'ExampleNews/5.1 (iPhone; iOS 17.4; Scale/3.00)',
  'ExampleNews/5.1 (iPhone14,5; iOS 17.4)',
  `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${ANDROID} Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 10; K) ${ANDROID} Mobile Safari/537.36`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT} Version/17.5 Mobile/15E148 Safari/604.1`,
];
const TABLETS = [
  ...['SM-T970', 'SM-X906B', 'SM-X710', 'SM-P613', 'GT-P5210', 'Pixel Tablet', 'Pixel C', 'Nexus 10'].map((model) =>
    dalvik(model),
  ),
  ...['KFMAWI', 'KFTRWI', 'KFSUWI', 'TB-X606F', 'TB350FU', 'Lenovo TB-8505F', 'Lenovo YT-X705F', 'TB310XU'].map(
    (model) => dalvik(model, '11'),
  ),
  ...['AGS3-W09', 'MRX-AL09', 'BAH3-L09', '23043RP34G', '24075RP89G', 'Xiaomi Pad 6', 'OPD2203', 'RMP2103'].map(
    (model) => dalvik(model, '13'),
  ),
  ...['Nokia T20', '100011886', 'SGP771', 'Teclast P80T Tab'].map((model) => dalvik(model, '12')),
  'ExampleNews/7.2 (Android 14; SM-X710) okhttp/4.9.3',
  'ExampleNews/5.1 (iPad; iOS 17.4; Scale/2.00)',
  'ExampleNews/5.1 (iPad13,16; iOS 17.4)',
  `Mozilla/5.0 (Linux; Android 13; SM-X700) ${ANDROID} Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 10; K) ${ANDROID} Safari/537.36`,
  `Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) ${WEBKIT} Version/17.0 Mobile/15E148 Safari/604.1`,
];

/** Posts one view by each agent and @returns the device each was counted as. */
async function devicesOf(events: readonly { userAgent: string; screen?: string }[], path = '/mobileproxy') {
  const pages = events.map(() => newPage());
  const view = (url: string, screen?: string) => ({ idsite: 'news.example', action: 'pageview', url, screen });
  await Promise.all(
    events.map(({ userAgent, screen }, at) => post({ events: [view(pages[at]!, screen)] }, { userAgent }, path)),
  );
  const sql = 'SELECT url, device FROM events WHERE url IN {pages:Array(String)}';
  const rows = await room.store.traffic.run({ sql, params: { pages } });
  const devices = new Map(rows.map(({ url, device }) => [url, device]));
  return pages.map((page) => devices.get(page));
}

describe('the device of an event', () => {
  test('is a phone or a tablet by the model an app names, and by "Mobile" where a browser says it', async () => {
    const devices = await devicesOf([...PHONES, ...TABLETS].map((userAgent) => ({ userAgent })));
    const found = Object.fromEntries([...PHONES, ...TABLETS].map((userAgent, at) => [userAgent, devices[at]]));
    expect(PHONES.length + TABLETS.length).toBeGreaterThanOrEqual(60);
    expect(found).toEqual({
      ...Object.fromEntries(PHONES.map((userAgent) => [userAgent, 'mobile'])),
      ...Object.fromEntries(TABLETS.map((userAgent) => [userAgent, 'tablet'])),
    });
  });

  test('is what the screen of an app says, where its agent names none', async () => {
    const userAgent = 'ExampleNews/512 CFNetwork/1494.0.7 Darwin/23.4.0';
    const screens = ['1640x2360', '1080x2400|1080x2280|32', '2560x1600', '393x852', '99999x1', 'wide', '0x0'];
    const devices = await devicesOf(screens.map((screen) => ({ userAgent, screen })));
    expect(devices).toEqual(['tablet', 'mobile', 'tablet', 'mobile', 'mobile', 'mobile', 'mobile']);
  });

  test('is a tablet where Safari says it is a Mac and has the screen of an iPad', async () => {
    const of = (screen: string, userAgent = MAC_SAFARI) => ({ userAgent, screen });
    const chrome = MAC_SAFARI.replace('Version/18.1 Safari/605.1.15', 'Chrome/138.0.0.0 Safari/537.36');
    const devices = await devicesOf(
      [of('820x1180|820x1180|32'), of('1024x1366'), of('1512x982'), of('820x1180', chrome)],
      '/events',
    );
    expect(devices).toEqual(['tablet', 'tablet', 'desktop', 'desktop']);
  });

  test('is found in no time, whatever the agent holds', () => {
    const taken = cpuTime();
    for (const part of ['Android;', ' ', 'Android ', 'pad', 'a', ';', 'Build/']) {
      new AgentReader().read(`Dalvik/2.1.0 (Android 14;${part.repeat(100_000)}`);
    }
    expect(taken()).toBeLessThan(300);
  });
});

const insideBrowser = (name: string) =>
  `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${name}/1.0) Chrome/138.0.0.0 Safari/537.36`;

const IN_APP = {
  Instagram: `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT} Mobile/15E148 Instagram 334.0.4.32.98 (iPhone14,5; iOS 17_5_1; en_US; en; scale=3.00; 1170x2532; 607364255)`,
  Facebook: `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A; wv) ${ANDROID} Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/468.0.0.0;]`,
  'the Google app': `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT} GSA/320.0.6 Mobile/15E148 Safari/604.1`,
  'Claude for desktop': `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${ANDROID} Claude/1.0.0 Electron/32.2.5 Safari/537.36`,
  'ChatGPT for desktop': `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${ANDROID} ChatGPT/1.2025.112 Electron/32.2.5 Safari/537.36`,
  'Perplexity for iOS': `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT} Mobile/15E148 Perplexity/2.40`,
  DuckDuckGo: `Mozilla/5.0 (Linux; Android 14) ${ANDROID} Mobile DuckDuckGo/5 Safari/537.36`,
  'Opera Mini': 'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; en) Presto/2.12.423 Version/12.16',
  'a Cubot phone': `Mozilla/5.0 (Linux; Android 12; CUBOT X50) ${ANDROID} Mobile Safari/537.36`,
  Firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
};

describe('a bot', () => {
  test.each(['/events', '/mobileproxy'])(
    'of the table is left out at %s, inside a browser’s agent too',
    async (path) => {
      const agents = BOT_NAMES.map(insideBrowser);
      const before = count('bot');
      expect(
        await devicesOf(
          agents.map((userAgent) => ({ userAgent })),
          path,
        ),
      ).toEqual(agents.map(() => undefined));
      expect(count('bot') - before).toBe(BOT_NAMES.length);
      expect(new Map(room.ingest.bots().map((bot) => [bot.name, bot.count]))).toEqual(
        new Map(BOT_NAMES.map((name) => [name, 1])),
      );
    },
  );

  test('of the table is left out at the door of apps under its bare name, and other programs are not', async () => {
    const agents = ['GPTBot/1.2 (+https://openai.com/gptbot)', 'claude-user/1.0', 'okhttp/4.12.0'];
    const devices = await devicesOf(
      agents.map((userAgent) => ({ userAgent })),
      '/mobileproxy',
    );
    expect(devices).toEqual([undefined, undefined, 'mobile']);
  });

  test('of no table is left out at the door of apps where it has a browser’s agent', async () => {
    const agents = [insideBrowser('ExampleBot'), 'Mozilla/5.0 (compatible; example-crawler/2.1)', 'okhttp/4.12.0'];
    const devices = await devicesOf(
      agents.map((userAgent) => ({ userAgent })),
      '/mobileproxy',
    );
    expect(devices).toEqual([undefined, undefined, 'mobile']);
  });

  test('is not seen in the agents of browsers, of browsers inside apps, and of the apps of assistants', async () => {
    const agents = Object.values(IN_APP);
    const devices = await devicesOf(
      agents.map((userAgent) => ({ userAgent })),
      '/events',
    );
    expect(Object.keys(IN_APP).filter((_, at) => devices[at] === undefined)).toEqual([]);
  });
});
