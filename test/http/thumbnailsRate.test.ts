// How many thumbnails are made for one network: beyond its rate readers there get the originals, others and what is ready do not notice.
import { createSecretKey } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import type { SiteId } from '../../server/sites/site.ts';
import { openDiskCache } from '../../server/thumbnails/diskCache.ts';
import type { Made, ThumbnailMaker } from '../../server/thumbnails/maker.ts';
import { createThumbnails } from '../../server/thumbnails/thumbnails.ts';
import { toVariant } from '../../server/thumbnails/variants.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

afterAll(removeDataDirs);

const log = pino({ level: 'silent' });
const variant = toVariant('480', 'image/webp')!;
const picture = (at: number): string => `https://pictures.example/${at}.jpg`;

/** Thumbnails whose pictures come of `make`. */
function openThumbnails(make: () => Promise<Made>, probe: ThumbnailMaker['probe'] = async () => undefined) {
  let time = 0;
  const thumbnails = createThumbnails({
    key: createSecretKey(Buffer.alloc(32)),
    backend: {
      cache: openDiskCache({ folder: makeDataDir(), maxBytes: 1024 * 1024, now: () => 0, log }),
      maker: { make, probe, close: async () => undefined },
    },
    userAgent: 'test',
    allowPrivate: false,
    clock: () => time,
    log,
  });
  const pass = (ms: number): void => {
    time += ms;
  };
  return { thumbnails, pass };
}

const small = async (): Promise<Made> => ({ bytes: Buffer.from('small') });

test('one network has so many made at once, and some each second after that', async () => {
  const { thumbnails, pass } = openThumbnails(small);
  const madeFor = async (network: string | undefined, from: number, to: number): Promise<number> => {
    let made = 0;
    for (let at = from; at < to; at++) if (await thumbnails.get(picture(at), variant, network)) made++;
    return made;
  };
  expect(await madeFor('198.51.100', 0, 300)).toBe(200);
  expect(await madeFor('203.0.113', 300, 310)).toBe(10);
  expect(await madeFor(undefined, 310, 320)).toBe(10);
  // What is ready costs nothing.
  expect(await madeFor('198.51.100', 0, 200)).toBe(200);
  pass(5_000);
  expect(await madeFor('198.51.100', 400, 450)).toBe(20);
  await thumbnails.close();
});

test('beyond those that wait already, nothing more is begun', async () => {
  const waiting: ((made: Made) => void)[] = [];
  const { thumbnails } = openThumbnails(() => new Promise((done) => waiting.push(done)));
  const asked = Array.from({ length: 64 }, (_, at) => thumbnails.get(picture(at), variant, undefined));
  await expect.poll(() => waiting.length).toBe(64);
  expect(await thumbnails.get(picture(64), variant, undefined)).toBeUndefined();
  expect(waiting).toHaveLength(64);
  for (const done of waiting) done({ bytes: Buffer.from('small') });
  expect((await Promise.all(asked)).filter((thumbnail) => thumbnail === undefined)).toEqual([]);
  await thumbnails.close();
});

test('a picture that failed is left alone: for minutes where that may pass, for an hour where it is none', async () => {
  let failure: 'unreachable' | 'no-picture' = 'unreachable';
  let asked = 0;
  const { thumbnails, pass } = openThumbnails(async () => {
    asked++;
    return { failure, why: 'test' };
  });
  const ask = () => thumbnails.get(picture(0), variant, undefined);
  await ask();
  pass(4 * 60_000);
  await ask();
  expect(asked).toBe(1);
  pass(2 * 60_000);
  failure = 'no-picture';
  await ask();
  pass(50 * 60_000);
  await ask();
  expect(asked).toBe(2);
  pass(11 * 60_000);
  await ask();
  expect(asked).toBe(3);
  expect(thumbnails.counts()).toEqual([
    { outcome: 'unreachable', count: 1 },
    { outcome: 'resting', count: 2 },
    { outcome: 'no-picture', count: 2 },
  ]);
  await thumbnails.close();
});

test('a process that is not ready in time switches nothing off, and is asked again a minute later', async () => {
  let found: Awaited<ReturnType<ThumbnailMaker['probe']>> = { why: 'late', mayPass: true };
  let probes = 0;
  const { thumbnails, pass } = openThumbnails(small, async () => {
    probes++;
    return found;
  });
  const name = async () => {
    const path = thumbnails.pathOf('paper.example' as SiteId, picture(1));
    await setImmediate();
    return { named: path !== undefined, probes, unable: thumbnails.unable };
  };
  expect(await name()).toEqual({ named: true, probes: 1, unable: undefined });
  pass(59_999);
  expect(await name()).toEqual({ named: true, probes: 1, unable: undefined });
  pass(1);
  found = { why: 'no decoder', mayPass: false };
  expect(await name()).toEqual({ named: true, probes: 2, unable: 'no decoder' });
  expect(await name()).toEqual({ named: false, probes: 2, unable: 'no decoder' });
});
