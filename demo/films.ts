// The newspaper's short films: a moving picture each, so that there are videos to watch and to rank.
import { DAY } from '../server/durations.ts';
import type { SectionName } from './articles/sections.ts';

export interface Film {
  slug: string;
  title: string;
  excerpt: string;
  section: SectionName;
  tags: string[];
  /** Function in art/filmDrawings.js that draws it. */
  drawing: 'skyline' | 'tide' | 'network';
  /** Days before the demo's first start. */
  age: number;
  /** Watched more than others by this factor. */
  appeal: number;
}

export interface PublishedFilm extends Film {
  /** Epoch milliseconds. */
  published: number;
}

export const FILM_SECONDS = 14;

export const FILMS: readonly Film[] = [
  {
    slug: 'a-day-over-the-capital',
    title: 'A day over the capital, in fourteen seconds',
    excerpt: 'Lights go on, lights go off: the rhythm of an office district from dawn to midnight.',
    section: 'Government',
    tags: ['agency work', 'time lapse'],
    drawing: 'skyline',
    age: 3,
    appeal: 1,
  },
  {
    slug: 'how-open-data-moves',
    title: 'How open data moves',
    excerpt: 'Releases come in like tides, and every one leaves the shore a little different.',
    section: 'Data',
    tags: ['open data', 'time lapse'],
    drawing: 'tide',
    age: 9,
    appeal: 0.6,
  },
  {
    slug: 'the-shape-of-a-service',
    title: 'The shape of a service',
    excerpt: 'People, systems and the calls between them, drawn as they happen.',
    section: 'Technology',
    tags: ['platforms', 'api'],
    drawing: 'network',
    age: 17,
    appeal: 0.8,
  },
];

/** The films, newest first. @param anchor Epoch milliseconds of the demo's first start. */
export const openFilms = (anchor: number): PublishedFilm[] =>
  FILMS.map((film) => ({ ...film, published: anchor - film.age * DAY }));
