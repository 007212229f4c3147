// Pictures made to do harm, or to be taken for something else: bytes and ways to answer, each with what may come of it.
import type { ServerResponse } from 'node:http';
import { crc32, createDeflate, deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { photograph } from '../pictures.ts';

export interface HostilePicture {
  kind: string;
  /** `picture`: a thumbnail comes of it; `none`: the answer leads to the original; `either`: whichever, so long as it is one of the two. */
  becomes: 'picture' | 'none' | 'either';
  answer(response: ServerResponse): void;
}

/** A number from 0 to 1, always the same row of them. */
export type Random = () => number;

type Kind = [name: string, becomes: HostilePicture['becomes'], make: (random: Random) => Answer | Buffer];
type Answer = HostilePicture['answer'];

const send =
  (bytes: Buffer, headers: Record<string, string> = { 'Content-Type': 'image/jpeg' }): Answer =>
  (response) =>
    void response.writeHead(200, headers).end(bytes);

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body) >>> 0);
  return Buffer.concat([length, body, sum]);
};
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** @param bits 1: black and white. */
function png(width: number, height: number, data: Buffer, bits = 1, more: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  return Buffer.concat([PNG, chunk('IHDR', header), ...more, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** All pixels are there: 200 MB of zeros in 200 KB. */
async function pixelBomb(side: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 });
  const parts: Buffer[] = [];
  deflate.on('data', (part: Buffer) => parts.push(part));
  const row = Buffer.alloc(1 + Math.ceil(side / 8));
  for (let at = 0; at < side; at++)
    if (!deflate.write(row)) await new Promise<void>((go) => deflate.once('drain', () => go()));
  deflate.end();
  await new Promise((done) => deflate.once('end', done));
  return png(side, side, Buffer.concat(parts));
}

/** A progressive JPEG whose last scan is there thousands of times: each is decoded again. */
function manyScans(progressive: Buffer, times: number): Buffer {
  const start = progressive.lastIndexOf(Buffer.from('ffda', 'hex'));
  const scan = progressive.subarray(start, -2);
  return Buffer.concat([progressive.subarray(0, -2), ...Array<Buffer>(times).fill(scan), progressive.subarray(-2)]);
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="800" height="600"><script>fetch('http://127.0.0.1/')</script><image xlink:href="file:///etc/passwd"/><rect width="800" height="600"/></svg>`;
const ENTITIES = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>${SVG.replace('<rect', '<text>&c;</text><rect')}`;

/** @returns `count` pictures: one of each kind, then of the kinds that chance varies, in turn. */
export async function hostilePictures(count: number, random: Random): Promise<HostilePicture[]> {
  const base = await photograph(640, 480);
  const jpeg = await base.clone().jpeg().toBuffer();
  const progressive = await base.clone().jpeg({ progressive: true }).toBuffer();
  const asPng = await base.clone().png({ compressionLevel: 3 }).toBuffer();
  const interlaced = await base.clone().png({ progressive: true, compressionLevel: 3 }).toBuffer();
  const webp = await base.clone().webp().toBuffer();
  const avif = await base.clone().avif({ effort: 0 }).toBuffer();
  const gif = await base.clone().gif().toBuffer();
  const whole = [jpeg, progressive, asPng, interlaced, webp, avif, gif];
  const cmyk = await base.clone().toColourspace('cmyk').jpeg().toBuffer();
  const sixteen = await base.clone().toColourspace('rgb16').png().toBuffer();
  const frames = await Promise.all(
    [0, 90, 180].map((hue) => base.clone().resize(320, 240).modulate({ hue }).png().toBuffer()),
  );
  const animated = (format: 'gif' | 'webp') =>
    sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
  const [animatedGif, animatedWebp] = [await animated('gif'), await animated('webp')];
  const turned = await Promise.all(
    [2, 3, 4, 5, 6, 7, 8].map((orientation) => base.clone().withMetadata({ orientation }).jpeg().toBuffer()),
  );
  const bomb = await pixelBomb(40_000);
  const scans = manyScans(progressive, 3_000);
  const huge = (write: (bytes: Buffer) => void, from: Buffer): Buffer => {
    const bytes = Buffer.from(from);
    write(bytes);
    return bytes;
  };
  /** The frame header of a JPEG: height and width are two bytes each, five bytes behind it. */
  const frameOf = (bytes: Buffer): number =>
    Math.max(bytes.indexOf(Buffer.from('ffc0', 'hex')), bytes.indexOf(Buffer.from('ffc2', 'hex')));
  const packed = gzipSync(Buffer.alloc(256 * 1024 * 1024), { level: 9 });
  const zipped = deflateSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });

  const kinds: Kind[] = [
    ['a PNG of 40,000 by 40,000 pixels', 'none', () => bomb],
    ['a PNG that says 2,147,483,647 by 1', 'none', () => png(2 ** 31 - 1, 1, deflateSync(Buffer.alloc(9)))],
    ['a PNG that says 6,000 by 6,000 and ends', 'none', () => png(6_000, 6_000, deflateSync(Buffer.alloc(9)))],
    [
      'a JPEG that says 65,000 by 65,000',
      'none',
      () => huge((bytes) => bytes.writeUInt32BE(0xfde8fde8, frameOf(bytes) + 5), jpeg),
    ],
    [
      'a GIF whose screen is 65,535 by 65,535',
      'either',
      () => huge((bytes) => bytes.writeUInt32LE(0xffffffff, 6), gif),
    ],
    ['a progressive JPEG of 3,000 scans', 'either', () => scans],
    [
      'a PNG with a text that unfolds to 64 MB',
      'either',
      () => png(8, 8, deflateSync(Buffer.alloc(16)), 1, [chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), zipped]))]),
    ],
    [
      'a PNG with a colour profile that unfolds to 64 MB',
      'either',
      () => png(8, 8, deflateSync(Buffer.alloc(16)), 1, [chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), zipped]))]),
    ],
    [
      'a picture that is cut off',
      'none',
      (random) => {
        const bytes = pick(random, [jpeg, progressive, asPng, interlaced, webp, avif]);
        return bytes.subarray(0, Math.floor(bytes.length * (0.02 + random() * 0.9)));
      },
    ],
    [
      'a picture with bytes changed',
      'either',
      (random) => {
        const bytes = Buffer.from(pick(random, whole));
        for (let at = 0; at < 20; at++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
        return bytes;
      },
    ],
    [
      'a head and then noise',
      'either',
      (random) => {
        const bytes = pick(random, whole).subarray(0, 40 + Math.floor(random() * 400));
        return Buffer.concat([bytes, Buffer.from(Array.from({ length: 5_000 }, () => Math.floor(random() * 256)))]);
      },
    ],
    ['noise', 'none', (random) => Buffer.from(Array.from({ length: 3_000 }, () => Math.floor(random() * 256)))],
    ['nothing', 'none', () => Buffer.alloc(0)],
    ['one byte', 'none', () => Buffer.from([0xff])],
    ['HTML called a JPEG', 'none', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    [
      'a script called a PNG',
      'none',
      () => send(Buffer.from('alert(document.domain)'), { 'Content-Type': 'image/png' }),
    ],
    ['SVG with a script', 'none', () => send(Buffer.from(SVG), { 'Content-Type': 'image/svg+xml' })],
    ['SVG called a JPEG', 'none', () => Buffer.from(SVG)],
    ['SVG with entities that unfold', 'none', () => Buffer.from(ENTITIES)],
    ['SVG, packed', 'none', () => gzipSync(SVG)],
    ['a PDF', 'none', () => Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')],
    ['a TIFF', 'none', () => Buffer.concat([Buffer.from('49492a0008000000', 'hex'), Buffer.alloc(2_000)])],
    [
      'a drawing of ImageMagick',
      'none',
      () =>
        Buffer.from(
          'push graphic-context\nviewbox 0 0 640 480\nfill \'url(https://127.0.0.1/"|id")\'\npop graphic-context',
        ),
    ],
    ['a playlist', 'none', () => Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')],
    ['a GIF that is a script', 'picture', () => Buffer.concat([gif, Buffer.from('/*<script>alert(1)</script>*/=1;')])],
    [
      'a JPEG with an archive behind it',
      'picture',
      () => Buffer.concat([jpeg, Buffer.from('504b0304', 'hex'), Buffer.alloc(5_000, 'x')]),
    ],
    [
      'a PNG with HTML behind it',
      'picture',
      () => Buffer.concat([asPng, Buffer.from('<html><script>alert(1)</script>')]),
    ],
    ['a PNG called HTML', 'picture', () => send(asPng, { 'Content-Type': 'text/html' })],
    ['a WebP called a script', 'picture', () => send(webp, { 'Content-Type': 'text/javascript' })],
    ['a JPEG without a type', 'picture', () => send(jpeg, {})],
    ['an animated GIF', 'picture', () => animatedGif],
    ['an animated WebP', 'picture', () => animatedWebp],
    ['a JPEG in CMYK', 'picture', () => cmyk],
    ['a PNG of 16 bits', 'picture', () => sixteen],
    ['a picture turned by its EXIF', 'picture', (random) => pick(random, turned)],
    ['a packed body that unfolds to 256 MB', 'none', () => send(packed, { 'Content-Encoding': 'gzip' })],
    ['a body packed another way than it says', 'none', () => send(jpeg, { 'Content-Encoding': 'br' })],
    [
      'an error',
      'none',
      (random) => (response) => void response.writeHead(pick(random, [403, 404, 410, 429, 500, 503])).end(jpeg),
    ],
    ['an empty answer', 'none', () => (response) => void response.writeHead(204).end()],
    [
      'a connection that breaks off',
      'none',
      () => (response) => {
        response.writeHead(200, { 'Content-Length': String(jpeg.length) }).write(jpeg.subarray(0, 500));
        response.socket?.destroy();
      },
    ],
    ['a redirect to itself', 'none', () => (response) => void response.writeHead(302, { Location: '' }).end()],
    [
      'a redirect to a file',
      'none',
      () => (response) => void response.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
    ],
    [
      'a body without end',
      'none',
      () => (response) => {
        response.writeHead(200, { 'Content-Type': 'image/jpeg' });
        const more = (): void => {
          if (!response.destroyed) response.write(jpeg, () => setImmediate(more));
        };
        more();
      },
    ],
  ];
  const varied = kinds.filter(([, , make]) => make.length > 0);
  return Array.from({ length: count }, (_, at) => {
    const [kind, becomes, make] = kinds[at] ?? varied[at % varied.length]!;
    const made = make(random);
    return { kind, becomes, answer: Buffer.isBuffer(made) ? send(made) : made };
  });
}
