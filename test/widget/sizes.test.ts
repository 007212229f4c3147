// What a page pays for the widget: bytes as they travel, and words that would cost more than bytes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { median } from '../../bench/support/table.ts';
import { ensureBuilt, root } from '../support/build.ts';

const FOLDER = join(root, 'dist/widget');

interface Budget {
  files: (keyof typeof NAMES)[];
  brotli: number;
  gzip: number;
}

const NAMES = {
  loader: /^afterword\.js$/,
  list: /^list-[0-9a-f]{6}\.js$/,
  both: /^both-[0-9a-f]{6}\.js$/,
  page: /^page-[0-9a-f]{6}\.js$/,
  rare: /^rare-[0-9a-f]{6}\.js$/,
  template: /^template-[0-9a-f]{6}\.js$/,
  alternatives: /^alternatives-[0-9a-f]{6}\.js$/,
  experiment: /^experiment-[0-9a-f]{6}\.js$/,
  fit: /^fit-[0-9a-f]{6}\.js$/,
  room: /^room-[0-9a-f]{6}\.js$/,
  why: /^why-[0-9a-f]{6}\.js$/,
  arrows: /^arrows-[0-9a-f]{6}\.js$/,
  languages: /^languages-[0-9a-f]{6}\.js$/,
  scripts: /^scripts-[0-9a-f]{6}\.js$/,
  videos: /^videos-[0-9a-f]{6}\.js$/,
  oneFile: /^afterword\.one\.js$/,
  parsely: /^p\.js$/,
};

/** Bytes. docs/widget.md names the same. */
const BUDGETS: Record<string, Budget> = {
  'the loader': { files: ['loader'], brotli: 800, gzip: 950 },
  'all that a page with a list near the window loads': { files: ['loader', 'both'], brotli: 11_925, gzip: 13_220 },
  'the same in three files, where the list is further down': {
    files: ['loader', 'page', 'list'],
    brotli: 12_300,
    gzip: 13_675,
  },
  'what shows a list': { files: ['list'], brotli: 8235, gzip: 9095 },
  'what counts, trains and takes commands': { files: ['page'], brotli: 3275, gzip: 3680 },
  'what few pages need': { files: ['rare'], brotli: 600, gzip: 700 },
  'what fills templates, marks links and draws in the page': { files: ['template'], brotli: 600, gzip: 700 },
  'what picks one of several titles of a post': { files: ['alternatives'], brotli: 650, gzip: 730 },
  'what assigns readers to variants of a list': { files: ['experiment'], brotli: 1720, gzip: 1930 },
  'what fits a related list to other lists': { files: ['fit'], brotli: 640, gzip: 720 },
  'what gives room back': { files: ['room'], brotli: 240, gzip: 290 },
  'what says why there is no list': { files: ['why'], brotli: 645, gzip: 760 },
  'the arrows of rows': { files: ['arrows'], brotli: 630, gzip: 770 },
  'languages in Latin letters': { files: ['languages'], brotli: 620, gzip: 720 },
  'languages in other letters': { files: ['scripts'], brotli: 400, gzip: 500 },
  'play marks': { files: ['videos'], brotli: 235, gzip: 265 },
  'all in one file': { files: ['oneFile'], brotli: 12_180, gzip: 13_455 },
  'all in one file, for older installations': { files: ['parsely'], brotli: 15_110, gzip: 16_600 },
};

/** Hashes as a build may give its parts. */
const HASHES = ['6b3f9e', '10c47d', 'e582a6', '3d9b01', 'f7246c', '84eb5f', '29d0a3'];

describe('the built widget', () => {
  let text: Record<keyof typeof NAMES, string>;
  const read = (name: string): Buffer => readFileSync(join(FOLDER, name));
  beforeAll(async () => {
    await ensureBuilt();
    const files = readdirSync(FOLDER);
    const find = (pattern: RegExp): string => read(files.find((name) => pattern.test(name))!).toString();
    text = Object.fromEntries(Object.entries(NAMES).map(([name, pattern]) => [name, find(pattern)])) as typeof text;
  });

  /**
   * Bytes as they travel: brotli 11, gzip 9. Any change of the widget gives its parts another hash in their names, of
   * which some compress to sixty bytes more than others: the median of some hashes.
   */
  function weigh(files: (keyof typeof NAMES)[]): [brotli: number, gzip: number] {
    const medianOf = (size: (file: string) => number): number =>
      median(
        HASHES.map((hash) =>
          files.reduce((all, file) => all + size(text[file].replace(/-[0-9a-f]{6}(?=\.js)/g, `-${hash}`)), 0),
        ),
      );
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    return [
      medianOf((file) => brotliCompressSync(file, quality).length),
      medianOf((file) => gzipSync(file, { level: 9 }).length),
    ];
  }

  it.each(Object.keys(BUDGETS))('keeps %s within its budget', (what) => {
    const { files, brotli, gzip } = BUDGETS[what]!;
    const [asBrotli, asGzip] = weigh(files);
    expect(asBrotli, `${asBrotli} bytes brotli`).toBeLessThanOrEqual(brotli);
    expect(asGzip, `${asGzip} bytes gzip`).toBeLessThanOrEqual(gzip);
  });

  it('weighs what docs/widget.md says', () => {
    const rows: [string, (keyof typeof NAMES)[]][] = [
      ['the loader', ['loader']],
      ['loader, both parts', ['loader', 'both']],
      ['loader, page part, list part', ['loader', 'page', 'list']],
      ['all in one file', ['oneFile']],
      ['for older installations', ['parsely']],
    ];
    const guide = readFileSync(join(root, 'docs/widget.md'), 'utf8');
    for (const [what, files] of rows) {
      const row = guide.split('\n').find((line) => line.startsWith('|') && line.includes(`${what} |`))!;
      const said = row
        .split('|')
        .slice(2, 4)
        .map((cell) => Number(cell.replaceAll(',', '')));
      // Compressors differ by some bytes from one version of Node to the next.
      for (const [index, bytes] of weigh(files).entries()) {
        expect(Math.abs(said[index]! - bytes), what).toBeLessThan(20);
      }
    }
  });

  it('weighs less than the README says', () => {
    const [, kilobytes] = /Everything a page with a list loads is below ([\d.]+) kB/.exec(
      readFileSync(join(root, 'README.md'), 'utf8'),
    )!;
    expect(weigh(['loader', 'page', 'list'])[0]).toBeLessThan(Number(kilobytes) * 1000);
  });

  it('has no zod in it, and no formatter before a list', () => {
    for (const [name, file] of Object.entries(text)) {
      for (const word of ['zod', 'eval(', 'Function(', 'localStorage', 'document.cookie', 'unload']) {
        expect(file.includes(word), `${word} in ${name}`).toBe(false);
      }
    }
    for (const word of ['toLocale', 'Intl']) {
      expect(text.loader).not.toContain(word);
      expect(text.page).not.toContain(word);
    }
  });

  it('knows the cookie of older installations in their own file alone', () => {
    for (const [name, file] of Object.entries(text))
      expect(file.includes('_parsely_visitor'), name).toBe(name === 'parsely');
  });

  it('makes formatters in one place, which waits for the browser to be idle', () => {
    expect(text.list).toContain('requestIdleCallback');
    expect(text.list.split('Intl')).toHaveLength(2);
    expect(text.list).not.toContain('toLocale');
  });

  it('names the parts it has, and stands beside its compressed forms', () => {
    for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.js'))) {
      expect(brotliDecompressSync(read(`${name}.br`)).equals(read(name)), name).toBe(true);
      expect(gunzipSync(read(`${name}.gz`)).equals(read(name)), name).toBe(true);
    }
    // One hash for all parts: those of two builds never meet on a page.
    const [ending] = /-[0-9a-f]{6}\.js/.exec(text.loader)!;
    const parts = readdirSync(FOLDER).filter((file) => /^[a-z]+-[0-9a-f]{6}\.js$/.test(file));
    const names = Object.keys(NAMES).filter((name) => !['loader', 'oneFile', 'parsely'].includes(name));
    expect(parts.sort()).toEqual(names.sort().map((part) => part + ending));
    expect(text.list).toContain(`./page${ending}`);
  });
});
