// One picture, fetched and made small. Runs in a process of its own: decoders of pictures are where hostile bytes do
// harm.
//
// Any host of the public internet is asked, as a site's pictures lie on hosts of all kinds; private addresses are
// refused, also behind redirects.
import sharp from 'sharp';
import { outgoingRules } from '../crawl/address.ts';
import { CrawlError } from '../crawl/failure.ts';
import { type FetchOptions, fetchFrom } from '../crawl/fetchPage.ts';
import { messageOf } from '../errors.ts';
import type { ThumbnailFailure } from './failure.ts';
import type { Variant } from './variants.ts';

export interface ThumbnailJob extends Variant {
  /** Address of the picture. */
  picture: string;
  userAgent: string;
  /** Private and loopback addresses are fetched from too: for development. */
  allowPrivate: boolean;
}

export class ThumbnailError extends Error {
  override name = 'ThumbnailError';
  readonly failure: ThumbnailFailure;

  constructor(failure: ThumbnailFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** Photographs for the web have up to 5 MB; the process that decodes holds eight of them. */
const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
/** A decoder that cannot shrink while it reads needs 4 to 8 bytes a pixel: at most 320 MB. */
const MAX_PIXELS = 40_000_000;
/** Channels of the largest usual picture: CMYK with transparency. */
const MAX_CHANNELS = 5;
const DECODE_SECONDS = 5;

/** Decided by content alone. SVG, which may hold scripts and addresses, and formats of printing are not among them. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`);

/** Once per process, before the first picture. */
export function restrictDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
  // Pictures are decoded one after another, each by one thread; nothing of one is kept for the next.
  sharp.concurrency(1);
  sharp.cache(false);
}

/** @throws {ThumbnailError | CrawlError} */
export async function fetchPicture({ picture, userAgent, allowPrivate }: ThumbnailJob): Promise<Buffer> {
  const options: FetchOptions = {
    site: undefined,
    accept: 'image/jpeg, image/webp, image/png, image/avif, image/gif;q=0.8, */*;q=0.1',
    max: MAX_PICTURE_BYTES,
    check: requireAnswer,
  };
  const { bytes, cut } = await fetchFrom(picture, options, { ...outgoingRules(allowPrivate), userAgent });
  if (cut) throw new ThumbnailError('too-large', `It has more than ${MAX_PICTURE_BYTES} bytes.`);
  return bytes;
}

function requireAnswer({ url, status }: Parameters<NonNullable<FetchOptions['check']>>[0]): void {
  if (status === 404 || status === 410) throw new CrawlError('gone', `${url.href} answers ${status}.`);
  if (status !== 200) throw new CrawlError('bad-status', `${url.href} answers ${status}.`);
}

/**
 * Cuts a picture to a variant's ratio, around its most salient part, and scales it down to the variant; a smaller one
 * is not scaled up. The first frame of an animation, turned as its EXIF says, in sRGB, without any metadata.
 * @throws {ThumbnailError} `no-picture` for bytes that are none, `too-large`, `too-slow`.
 */
export async function shrink(bytes: Buffer, { width, height, format }: Variant): Promise<Buffer> {
  const input = {
    failOn: 'error',
    limitInputPixels: MAX_PIXELS,
    limitInputChannels: MAX_CHANNELS,
    autoOrient: true,
  } as const;
  try {
    const { autoOrient: upright } = await sharp(bytes, input).metadata();
    const scale = Math.min(1, upright.width / width, upright.height / height);
    const small = sharp(bytes, input)
      .timeout({ seconds: DECODE_SECONDS })
      .resize({
        width: Math.max(1, Math.round(width * scale)),
        height: Math.max(1, Math.round(height * scale)),
        fit: 'cover',
        position: sharp.strategy.attention,
      });
    return await (format === 'webp'
      ? small.webp({ quality: 75 })
      : small.flatten({ background: '#fff' }).jpeg({ quality: 78, mozjpeg: true })
    ).toBuffer();
  } catch (cause) {
    throw toThumbnailError(cause);
  }
}

function toThumbnailError(cause: unknown): ThumbnailError {
  const why = messageOf(cause);
  if (/exceeds pixel limit|channel limit/i.test(why)) return new ThumbnailError('too-large', why, { cause });
  if (/timeout/i.test(why)) return new ThumbnailError('too-slow', why, { cause });
  return new ThumbnailError('no-picture', why, { cause });
}
