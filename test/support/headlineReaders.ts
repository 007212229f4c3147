// Readers whom lists showed a post with one of its titles, so many of whom clicked and read it, as events.
import { randomInt } from 'node:crypto';
import type { EventRow } from '../../server/ingest/eventRow.ts';

const LIST = { list: 'related', slot: 'end', layout: 'list', experiment: '', variant: '', shown: true };

export interface HeadlineReaders {
  post: string;
  /** Number of the title, from 1. */
  alternative: number;
  shown: number;
  quality: number;
  /** Epoch milliseconds. */
  time: number;
}

export function headlineReaders({ post, alternative, shown, quality, time }: HeadlineReaders): Partial<EventRow>[] {
  return Array.from({ length: shown }, (_, at): Partial<EventRow>[] => {
    const visitor = String(randomInt(2 ** 47));
    const clicks = at < quality ? 1 : 0;
    const items = [{ position: 1, post, source: 'words' as const, seen: true, clicks, alternative }];
    const page = 'https://paper.example/page';
    const reported = { visitor, time, url: page, action: 'list' as const, lists: [{ ...LIST, items }] };
    if (clicks === 0) return [reported];
    const opened = { visitor, time: time + 1000, url: post };
    return [reported, opened, { ...opened, time: time + 20_000, action: 'heartbeat', seconds: 20 }];
  }).flat();
}
