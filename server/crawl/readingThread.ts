// The thread that pages are read in: bytes come in, records go out.
import { belongsToSite } from '../ingest/siteHosts.ts';
import { decodePage } from '../posts/readPage/decodePage.ts';
import { framePage } from '../posts/readPage/framePage.ts';
import { readPage } from '../posts/readPage/readPage.ts';
import { serveMethods } from '../workers/serveMethods.ts';
import type { PageToRead, ReadPage } from './pageReader.ts';

export type PageJob = Omit<PageToRead, 'bytes'> & {
  bytes: Uint8Array;
  /** Only what is quick: the article is not separated from what stands around it. */
  plain?: boolean;
};
export interface PageMethods {
  /** Answers when the thread has started. */
  start(): void;
  read(job: PageJob): ReadPage;
}

export function readBytes({ bytes, contentType, site, framed, ...page }: PageJob): ReadPage {
  const { html, encoding } = decodePage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType);
  const record = readPage({ ...page, html }, (url) => belongsToSite(url, site));
  return { encoding, record, ...(framed && { frame: framePage(html, page.url) }) };
}

serveMethods<PageMethods>({ start: () => undefined, read: readBytes });
