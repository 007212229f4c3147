// Who watches the films: some visits a day of their own, more while a film is new.
import { DAY } from '../../server/durations.ts';
import type { EventRow } from '../../server/ingest/eventRow.ts';
import { addDays, startOfDay } from '../../server/traffic/zone.ts';
import { PAPER_ZONE } from '../edition.ts';
import { FILM_SECONDS, type PublishedFilm } from '../films.ts';
import { dayOf, isWeekend } from './calendar.ts';
import { seeded } from './random.ts';
import { drawPasserBy } from './readers.ts';
import { drawMoment, WEEKEND_SHARE } from './rhythm.ts';

export interface FilmWorld {
  films: readonly PublishedFilm[];
  seed: string;
  /** Visits of a working day to a new film of ordinary appeal, about. */
  visitsPerDay: number;
}

/** Days after which a film is watched half as often. */
const HALF_LIFE = 6;

/** Events of one local day, in no order. `page` is the address of a film's page. */
export function filmViews(
  { films, seed, visitsPerDay }: FilmWorld,
  { day, blank, page }: { day: string; blank: EventRow; page(film: PublishedFilm): string },
): EventRow[] {
  const random = seeded(seed, 'films', day);
  const midnight = startOfDay(day, PAPER_ZONE);
  const noon = midnight + DAY / 2;
  const end = startOfDay(addDays(day, 1), PAPER_ZONE);
  const weekend = isWeekend(day);
  return films.flatMap((film) => {
    const age = (noon - film.published) / DAY;
    if (age < 0) return [];
    const freshness = 0.15 + 0.85 * 0.5 ** (age / HALF_LIFE);
    const visits = Math.round(visitsPerDay * film.appeal * freshness * (weekend ? WEEKEND_SHARE : 1));
    return Array.from({ length: visits }, (_, index) => {
      const reader = drawPasserBy(random, { seed, day, index: 1_000_000 + index, pool: visitsPerDay * 10 });
      const time = Math.min(midnight + drawMoment(random, { weekend }), end - 1);
      const url = page(film);
      const { visitor, device } = reader;
      const seen: EventRow = { ...blank, url, visitor, device, time, day: dayOf(time, PAPER_ZONE) };
      const watched = Math.round(FILM_SECONDS * (0.2 + random() * 1.3));
      if (random() < 0.3) return [seen];
      const start = time + 2_000;
      const stop = start + watched * 1000;
      return [
        seen,
        { ...seen, action: 'videostart' as const, video: url, time: start, day: dayOf(start, PAPER_ZONE) },
        {
          ...seen,
          action: 'vheartbeat' as const,
          video: url,
          seconds: watched,
          time: stop,
          day: dayOf(stop, PAPER_ZONE),
        },
      ];
    }).flat();
  });
}
