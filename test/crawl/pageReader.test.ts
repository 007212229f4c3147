// Pages that keep their thread busy: they lose their text, or all, and the next page is read.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createPageReader, type PageReader, type PageToRead } from '../../server/crawl/pageReader.ts';
import { readBytes } from '../../server/crawl/readingThread.ts';
import { loopbackSite } from './support.ts';

const dir = mkdtempSync(join(tmpdir(), 'afterword-threads-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let reader: PageReader;
afterEach(() => reader.close());

const page = (html: string): PageToRead => ({
  url: 'http://127.0.0.1/busy',
  bytes: Buffer.from(html),
  contentType: 'text/html',
  language: undefined,
  site: loopbackSite,
});

/** A thread that does with a job what a line of code says, and another line while it starts. */
function open(name: string, code: string, { patience = 3000, start = '' } = {}): void {
  const file = join(dir, `${name}.mjs`);
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
     ${start}
     parentPort.on('message', ({ id, method, argument: job }) => {
       if (method === 'start') return parentPort.postMessage({ id, result: undefined });
       const read = () => parentPort.postMessage({ id, result: { encoding: 'utf-8', record: { plain: job.plain } } });
       const html = Buffer.from(job.bytes).toString();
       ${code}
     });`,
  );
  reader = createPageReader({ thread: pathToFileURL(file), patience });
}

test('a page whose text takes too long is read without it', async () => {
  open('slow-text', 'while (!job.plain && html === "slow"); read();');
  expect(await reader.read(page('slow'))).toMatchObject({ record: { plain: true } });
  expect(await reader.read(page('quick'))).toMatchObject({ record: { plain: false } });
});

test('so is a page whose text ends the thread', async () => {
  open('dying', 'if (!job.plain) process.exit(1); read();', { patience: 100_000 });
  expect(await reader.read(page('x'))).toMatchObject({ record: { plain: true } });
});

test('a page that takes too long even so is given up, and the next one is read', async () => {
  open('slow', 'while (html === "slow"); read();');
  const slow = reader.read(page('slow'));
  const next = reader.read(page('quick'));
  await expect(slow).rejects.toMatchObject({ failure: 'unreadable', message: expect.stringContaining('3000 ms') });
  expect(await next).toMatchObject({ record: { plain: false } });
});

test('the start of the thread does not count as time of the page', async () => {
  const start = 'const loaded = performance.now() + 1000; while (performance.now() < loaded);';
  open('slow-start', 'read();', { patience: 500, start });
  expect(await reader.read(page('quick'))).toMatchObject({ record: { plain: false } });
});

test('what is left is the metadata, and the paragraphs for a text', () => {
  const { record } = readBytes({
    ...page(`<html lang="de"><title>Busy</title><meta property="og:type" content="article">
      <nav><p>Menu</p></nav><div><p>One paragraph.</p></div><p>Another.</p>`),
    plain: true,
  });
  expect(record.patch).toMatchObject({
    title: 'Busy',
    pageType: 'post',
    language: 'de',
    fullContent: 'One paragraph.\n\nAnother.',
  });
  expect(record.notes).toEqual(['Separating its text from the rest took too long: its paragraphs are taken.']);
});
