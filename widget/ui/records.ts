// What a server says, read with suspicion: text stays text, addresses are http or https or nothing.

import type { ItemSource } from '../../server/contract/wire.ts';

/** A post as a card shows it. Fields are "" where nothing is known. */
export interface Card {
  /** Where the link leads: the post, with the slot's `data-itm` merged into its query once it is shown. */
  url: string;
  /** The post's own address. */
  link: string;
  title: string;
  /** The picture as lists show it: small where there is a small one. */
  image: string;
  /** The picture in several widths, of an image service. */
  srcset?: string | undefined;
  /** The picture itself. */
  original: string;
  section: string;
  author: string;
  /** `YYYY-MM-DDTHH:MM:SS`, UTC. */
  date: string;
  /** As the server says them, where several titles or pictures are compared. */
  _alternatives?: unknown;
  /** Number of the title and picture that this reader is shown, from 1, the post's own. Absent: nothing is compared. */
  alternative?: number;
  /** Why it stands in the list. */
  source: ItemSource;
}

/** More of a title than any card shows. */
const MAX_TEXT = 300;

const toText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : '');
const toAddress = (value: unknown): string => (typeof value === 'string' && /^https?:\/\//i.test(value) ? value : '');

/** @returns undefined when the answer is none: an error body, a page of HTML, nothing at all. */
export function readCards(body: unknown): Card[] | undefined {
  const data = (body as { data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(data)) return undefined;
  return data
    .map((record: Record<string, unknown> | null) => {
      const { url, title, thumb_url_medium, image_url, section, author, pub_date, alternatives, source } = record || {};
      const link = toAddress(url);
      return {
        url: link,
        link,
        title: toText(title),
        image: toAddress(thumb_url_medium || image_url),
        original: toAddress(image_url),
        section: toText(section),
        author: toText(author),
        date: toText(pub_date).slice(0, 19),
        _alternatives: alternatives,
        // Rankings have one reason for all.
        source: (source || 'popular') as ItemSource,
      };
    })
    .filter((card) => card.link && card.title);
}

/** Whether a date, `YYYY-MM-DDTHH:MM:SS` in UTC, is a day and no moment: metadata without a time is midnight in UTC. */
export const isDay = (moment: string): boolean => moment.endsWith('T00:00:00');
