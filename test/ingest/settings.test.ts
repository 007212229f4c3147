// The limits of traffic as an operator sets them and meets them: flags, variables, answers, /metrics and the doctor.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DropReason } from '../../server/ingest/types.ts';
import { BROWSER } from '../support/beacons.ts';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const TOKEN = 'a-token-for-tests-only';
const SITE = 'limits.example';

let server: TestServer;
afterAll(removeDataDirs);

interface Event {
  idsite?: string;
  action?: string;
  url?: string;
  [more: string]: unknown;
}
const view = (more: Event = {}): Event => ({
  idsite: SITE,
  action: 'pageview',
  url: `https://${SITE}/`,
  ...more,
});

async function send(body: unknown, { ip = '203.0.113.1', userAgent = BROWSER, path = '/events' } = {}) {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'User-Agent': userAgent, 'X-Forwarded-For': ip },
    body: typeof body === 'string' ? body : JSON.stringify({ events: body }),
  });
  const { message } = (await answer.json()) as { message?: string };
  return [answer.status, message, answer.headers.get('Retry-After')];
}

async function outcomes(): Promise<Record<string, number>> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  const lines = (await answer.text()).matchAll(
    /^afterword_ingest_events_total\{site="([^"]*)",outcome="([^"]*)"\} (\d+)/gm,
  );
  return Object.fromEntries([...lines].map(([, site, outcome, count]) => [`${site} ${outcome}`.trim(), Number(count)]));
}

describe('what is refused', () => {
  beforeEach(async () => {
    server = await startServer({
      flags: [
        '--max-batch',
        '20',
        '--address-rate',
        '1',
        '--new-urls',
        '2',
        '--max-url',
        '256',
        '--trusted-proxies',
        '1',
      ],
      env: {
        AFTERWORD_MAX_BODY: '16',
        AFTERWORD_SITE_RATE: '4',
        AFTERWORD_MAX_TEXT: '64',
        AFTERWORD_METRICS_TOKEN: TOKEN,
      },
    });
    await addSite(server, SITE);
    await addSite(server, 'busy.example');
    await addSite(server, 'full.example', '--max-events-per-day', '1');
  });
  afterEach(() => server.stop());

  test('says what to do, and what is dropped is counted by reason, for each there is, in /metrics and by the doctor', async () => {
    expect(await send('x'.repeat(16 * 1024 + 1))).toEqual([
      413,
      'A batch has at most 16384 bytes: send its events in smaller ones.',
      null,
    ]);
    expect(await send(Array.from({ length: 21 }, () => view()))).toEqual([
      422,
      'A batch has at most 20 events: send the others in another one.',
      null,
    ]);
    // One address a second, fifty at once; one site four a second, forty at once.
    const batch = Array.from({ length: 20 }, () => view({ idsite: 'busy.example', url: 'https://busy.example/' }));
    const from = (host: string) => send(batch, { ip: host });
    // Together, so that little comes back to what is left meanwhile.
    const answers = await Promise.all(['198.51.100.1', '198.51.100.2'].map(from));
    answers.push(await from('198.51.100.3'), await from('192.0.2.1'));
    expect(answers.map(([status]) => status)).toEqual([200, 200, 429, 429]);
    expect(answers[2]![1]).toMatch(/^Too many events from this network of addresses: send this again in \d+ s\.$/);
    expect(Number(answers[2]![2])).toBeGreaterThan(0);
    expect(answers[3]![1]).toMatch(/^Too many events for the site busy\.example: send this again in \d s\.$/);
    const said = 'events refused: more than the rate allows';
    await until('the log says so', () => server.log().some(({ msg }) => msg === said));

    const name = (n: number) => `https://${SITE}/${n}`;
    await send([
      'no event',
      view({ idsite: 'nobody.example' }),
      view({ url: 'https://elsewhere.example/' }),
      view({ url: `https://${SITE}/${'x'.repeat(256)}` }),
      view({ action: 'install' }),
      view({ action: 'heartbeat' }),
      view({ data: { opted_out: true } }),
      view({ eid: 'twice' }),
      view({ eid: 'twice' }),
      // Too long to say anything: not the same event twice.
      view({ eid: 'x'.repeat(65) }),
      view({ eid: 'x'.repeat(65) }),
    ]);
    await send([view()], { userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)', ip: '203.0.113.200' });
    await send([view({ url: name(1) }), view({ url: name(2) }), view({ url: name(3) })]);
    const full = [view({ idsite: 'full.example', url: 'https://full.example/' })];
    await send(full, { ip: '203.0.115.1' });
    expect((await send(full, { ip: '203.0.115.1' }))[0]).toBe(429);
    const long = `{"events":[null,{},"${'x'.repeat(16 * 1024)}`;
    expect((await send(long, { ip: '203.0.114.1', path: '/mobileproxy' }))[0]).toBe(200);
    const each: Record<DropReason, [site: string, count: number]> = {
      malformed: ['', 2],
      'unknown-site': ['', 2],
      'foreign-host': [SITE, 1],
      'bad-url': [SITE, 1],
      'unknown-action': [SITE, 1],
      'bad-increment': [SITE, 1],
      'opted-out': [SITE, 1],
      duplicate: [SITE, 1],
      bot: [SITE, 1],
      'too-many-urls': [SITE, 2],
      'too-many-events': ['', 21],
      'too-many-bytes': ['', 1],
      'rate-limited': ['', 20],
      'site-rate-limited': ['busy.example', 20],
      'over-events-quota': ['full.example', 1],
    };
    const expected = Object.entries(each).map(([reason, [site, count]]) => [`${site} ${reason}`.trim(), count]);
    const stored = [
      [`${SITE} stored`, 6],
      ['busy.example stored', 40],
      ['full.example stored', 1],
    ];
    expect(await outcomes()).toEqual(Object.fromEntries([...expected, ...stored]));

    const { stdout } = await runInProcess(['doctor', '--json', '--data', server.dataDir]);
    const findings = JSON.parse(stdout) as { about: string; says: string; remedy?: string }[];
    const says = findings.filter(({ about }) => about === 'traffic').map((finding) => finding.says);
    for (const [reason, [site, count]] of Object.entries(each)) {
      // Neither the report nor the metric says of events that were stored that they were dropped.
      const became = reason === 'too-many-urls' ? 'Stored without their page' : 'Dropped';
      const sentence = `${became} since the start, of ${site || 'no known site'}, as ${reason}: ${count}.`;
      expect(says).toContainEqual(expect.stringContaining(sentence));
    }
    const metrics = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
    expect(await metrics.text()).toMatch(/^# HELP afterword_ingest_events_total .*too-many-urls: stored as well/m);
  });
});

describe('how they are set', () => {
  test('--help names each with its unit, default and variable', async () => {
    const { stdout } = await runInProcess(['serve', '--help']);
    const help = stdout.replace(/\s+/g, ' ');
    for (const [flag, unit, unset] of [
      ['max-body', 'KiB', '512'],
      ['max-batch', 'events', '2000'],
      ['max-text', 'characters', '512'],
      ['max-url', 'characters', '8192'],
      ['address-rate', 'events a second', '200'],
      ['site-rate', 'events a second', '10000'],
      ['address-connections', 'connections', '256'],
      ['new-urls', 'URLs', '10000'],
      ['new-labels', 'names', '2000'],
      ['max-spool', 'MiB', '1024'],
    ]) {
      const variable = `AFTERWORD_${flag!.toUpperCase().replace('-', '_')}`;
      expect(help).toMatch(new RegExp(`--${flag} <number> [^<]*in ${unit} \\(default: ${unset}, env: ${variable}\\)`));
    }
  });

  test.each([
    [
      ['--max-body', '1'],
      {},
      '--max-body (or AFTERWORD_MAX_BODY) takes a whole number of KiB from 16 to 65536, not "1".',
    ],
    [
      ['--site-rate', '0'],
      {},
      '--site-rate (or AFTERWORD_SITE_RATE) takes a whole number of events a second from 1 to 1000000',
    ],
    [[], { AFTERWORD_NEW_URLS: 'many' }, '--new-urls (or AFTERWORD_NEW_URLS) takes a whole number of URLs'],
    [
      [],
      { AFTERWORD_MAX_TEXT: '1e3' },
      '--max-text (or AFTERWORD_MAX_TEXT) takes a whole number of characters from 64 to 8192',
    ],
  ])('%j %j stops the start with one clear error', async (flags, env, sentence) => {
    const { code, stderr } = await runCommand(
      ['serve', '--data', makeDataDir(), ...flags],
      env as Record<string, string>,
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
  });
});
