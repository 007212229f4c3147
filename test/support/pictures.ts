// Pictures on a loopback server, which a site's posts name, and questions for their thumbnails.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { getJson, postJson } from './http.ts';
import type { TestServer, TestSite } from './server.ts';

export type PictureAnswer = Buffer | ((request: IncomingMessage, response: ServerResponse) => void);

export interface PictureHost {
  origin: string;
  /** Publishes a picture under a path. @returns Its address. */
  put(path: string, answer: PictureAnswer): string;
  /** How often a path was asked for. */
  asked(path: string): number;
  close(): Promise<void>;
}

export async function openPictureHost(): Promise<PictureHost> {
  const answers = new Map<string, PictureAnswer>();
  const asked = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const path = request.url!;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const answer = answers.get(path);
    if (typeof answer === 'function') return answer(request, response);
    // Whatever it is: thumbnails go by the content.
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'image/jpeg' }).end(answer);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    put(path, answer) {
      answers.set(path, answer);
      return origin + path;
    },
    asked: (path) => asked.get(path) ?? 0,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A photograph of sorts: smooth shapes under grain, as large as a camera's where its width is. */
export async function photograph(width: number, height: number, grain = 12): Promise<Sharp> {
  const shapes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200" width="${width}" height="${height}">
      <defs><linearGradient id="sky" y2="1" x2="0"><stop stop-color="#27588a"/><stop offset="1" stop-color="#f3d8a0"/></linearGradient></defs>
      <rect width="300" height="200" fill="url(#sky)"/><circle cx="230" cy="60" r="18" fill="#fff3c8"/>
      <path d="M0 200 70 90 130 160 190 110 300 200z" fill="#2f3b2e"/><path d="M0 200 40 150 300 190v10z" fill="#7c5a33"/></svg>`,
  );
  const noise = {
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: grain } },
  };
  const overlay = await sharp(noise as SharpOptions)
    .png({ compressionLevel: 1 })
    .toBuffer();
  const composed = await sharp(shapes)
    .composite([{ input: overlay, blend: 'soft-light' }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return sharp(composed, { raw: { width, height, channels: 3 } });
}

/** A post with a picture. @returns Its record in `/v2/search`, which finds it by the word of its title. */
export async function postWithPicture(
  server: TestServer,
  site: TestSite,
  metadata: { word: string } & Record<string, unknown>,
): Promise<{ thumb_url_medium: string; image_url: string }> {
  const { word, ...more } = metadata;
  const url = `https://${site.apikey}/${word}`;
  const told = { canonical_url: url, title: `About ${word}`, ...more };
  await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata: told });
  interface Found {
    data: { thumb_url_medium: string; image_url: string }[];
  }
  const { data } = await getJson<Found>(server, '/v2/search', { apikey: site.apikey, q: word });
  return data[0]!;
}

/** The Accept header of a browser's pictures. */
const BROWSER_ACCEPT = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

/** Asks as a browser does, and follows no redirect. */
export const askPicture = (
  url: string,
  accept = BROWSER_ACCEPT,
  more: Record<string, string> = {},
): Promise<Response> => fetch(url, { redirect: 'manual', headers: { Accept: accept, ...more } });

/** The same thumbnail in another size, such as `320x1.5`. */
export const inSize = (thumbnail: string, size: string): string => thumbnail.replace(/\/480\?/, `/${size}?`);
