// Puts together what makes thumbnails, and finds out whether this machine can.
import { createSecretKey, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ServerSettings } from '../config.ts';
import { crawlerAgent } from '../crawl/reading.ts';
import type { Store } from '../storage/store.ts';
import { openDiskCache } from '../thumbnails/diskCache.ts';
import { createThumbnailMaker } from '../thumbnails/maker.ts';
import { createThumbnails, type Thumbnails, type ThumbnailsOptions } from '../thumbnails/thumbnails.ts';
import type { Installation } from './installation.ts';

export interface OpenThumbnailsOptions {
  settings: Pick<ServerSettings, 'data' | 'publicUrl' | 'allowPrivateCrawl' | 'thumbnails' | 'thumbnailCache'>;
  installation: Pick<Installation, 'version' | 'thumbnailProcess'>;
  store: Pick<Store, 'keys'>;
  log: Logger;
  now: () => number;
  /** Monotonic milliseconds. */
  clock: () => number;
}

const MIB = 1024 * 1024;

/** Where sharp cannot be loaded, thumbnails are off, and the log says what to do. */
export async function openThumbnails(options: OpenThumbnailsOptions): Promise<Thumbnails> {
  const { settings, installation, store, log, clock } = options;
  const key = createSecretKey(await store.keys.agree('thumbnails', randomBytes(32).toString('hex')), 'hex');
  return createThumbnails({
    key,
    ...(settings.thumbnails ? await openBackend(options) : { backend: undefined }),
    userAgent: crawlerAgent(installation.version, settings.publicUrl),
    allowPrivate: settings.allowPrivateCrawl,
    clock,
    log,
  });
}

async function openBackend({
  settings,
  installation,
  log,
  now,
}: OpenThumbnailsOptions): Promise<Pick<ThumbnailsOptions, 'backend' | 'unable'>> {
  const maker = createThumbnailMaker({ file: installation.thumbnailProcess, env: { PATH: process.env.PATH } });
  const why = await maker.probe();
  if (why !== undefined) {
    log.warn(
      { why },
      'thumbnails are off: sharp, which makes them, cannot be loaded; lists show the pictures of posts as they are. ' +
        'Install it for this machine (npm install sharp), or say --thumbnails off',
    );
    return { backend: undefined, unable: why };
  }
  const folder = join(settings.data, 'thumbnails');
  return { backend: { maker, cache: openDiskCache({ folder, maxBytes: settings.thumbnailCache * MIB, now, log }) } };
}
