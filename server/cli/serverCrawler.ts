// The crawler of a server, with the settings of its operator.
import type { ServerSettings } from '../config.ts';
import { type CrawlerOptions, createCrawler, type RunningCrawler } from '../crawl/crawler.ts';
import { openReading } from '../crawl/reading.ts';
import type { Installation } from './installation.ts';

export function createServerCrawler(
  parts: Omit<CrawlerOptions, 'reading' | 'clock'> & { clock: () => number },
  { publicUrl, allowPrivateCrawl }: ServerSettings,
  { version, readingThread }: Installation,
): RunningCrawler {
  const { clock } = parts;
  const reading = openReading({ thread: readingThread, version, publicUrl, allowPrivate: allowPrivateCrawl, clock });
  return createCrawler({ ...parts, reading });
}
