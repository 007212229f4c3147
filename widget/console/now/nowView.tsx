// The site now, beside what is usual: updated by itself while it is looked at.
import { useContext } from 'preact/hooks';
import { NOW_FIGURES, type NowRecord } from '../../../server/contract/now.ts';
import { toggled, writeChoice } from '../choice.ts';
import { useFixed } from '../choiceLink.tsx';
import { FilterChips } from '../filterChips.tsx';
import { FixedFilters } from '../fixedFilters.tsx';
import { Empty, Failed, Ghost, Stale } from '../states.tsx';
import { SessionEnded } from '../useAnswer.ts';
import type { ViewProps } from '../views.ts';
import { FigureCard } from './figureCard.tsx';
import { NowNames } from './nowNames.tsx';
import { NowPosts } from './nowPosts.tsx';
import { NowSources } from './nowSources.tsx';
import { TodayCurve } from './todayCurve.tsx';
import { useLive } from './useLive.ts';
import { announced, dayOf, leftOut, momentOf, updatedAt, whyNothing } from './words.ts';

const POSTS = 15;
const NOTHING_READ = 'No post was read in the last five minutes.';

export function NowView({ session, choice, choose }: ViewProps) {
  const { section } = choice.filters;
  const ended = useContext(SessionEnded);
  const isFixed = useFixed();
  const narrowed = section === undefined ? [] : [['section', section] as const];
  const { body, isLoading, message, pause, retry } = useLive<{ data: [NowRecord] }>(
    '/v2/analytics/now',
    [['posts', String(POSTS)], ...narrowed],
    ended,
  );
  const record = body?.data[0];
  const note = leftOut(choice.filters);
  const zone = session.timezone;
  const filter = (name: string) => choose({ filters: toggled(choice.filters, 'section', name) });
  return (
    <main id="figures" class="live" tabIndex={-1} aria-busy={isLoading}>
      <header class="head">
        <h1>
          Now <small>{record ? dayOf(record, zone) : session.site}</small>
        </h1>
        {section !== undefined && isFixed && <FixedFilters filters={{ section }} />}
        {section !== undefined && !isFixed && (
          <FilterChips
            filters={{ section }}
            onChange={() => choose({ filters: toggled(choice.filters, 'section', section) })}
          />
        )}
        <p class="soft updated">
          {record && message === '' && `Updated ${updatedAt(record, zone)}`}
          {record && message !== '' && `Last updated ${updatedAt(record, zone)}`}
        </p>
        {!isFixed && (
          <a
            class="wall-link"
            href={writeChoice({ ...choice, view: 'wall', filters: section === undefined ? {} : { section } })}
            target="_blank"
            rel="noopener"
          >
            Show on a wall
          </a>
        )}
      </header>
      {note && <p class="note">{note}</p>}
      <p class="hidden" role="status">
        {record && announced(record, message)}
      </p>
      {message !== '' && record !== undefined && <Stale message={message} pause={pause} retry={retry} />}
      {message !== '' && record === undefined && (
        <section class="sheet">
          <Failed message={message} retry={retry} />
        </section>
      )}
      {message === '' && record === undefined && <Waiting />}
      {record && <Figures record={record} zone={zone} section={section} {...(!isFixed && { onSection: filter })} />}
    </main>
  );
}

interface FiguresProps {
  record: NowRecord;
  zone: string;
  section: string | undefined;
  /** Absent: a section leads nowhere. */
  onSection?: (name: string) => void;
}

function Figures({ record, zone, section, onSection }: FiguresProps) {
  const moment = momentOf(record.period_end, zone);
  const nothing = whyNothing(record);
  return (
    <>
      <ul class="sheet figures">
        {record.figures.map((figure) => (
          <FigureCard key={figure.name} figure={figure} moment={moment} />
        ))}
      </ul>
      {nothing && <p class="soft nothing">{nothing}</p>}
      <TodayCurve quarters={record.today} weekday={dayOf(record, zone).split(' ')[0]!.replace(',', '')} />
      <div class="beside">
        <section class="sheet panel posts" aria-label="Posts">
          <header>
            <h2>Posts</h2>
          </header>
          {record.posts.length === 0 ? (
            <Empty>{NOTHING_READ} Readers appear here within seconds.</Empty>
          ) : (
            <NowPosts posts={record.posts} />
          )}
        </section>
        <div>
          <NowSources sources={record.sources} />
          <NowNames title="Sources" rows={record.referrers} empty="No visit in the last five minutes." />
          <NowNames
            title="Sections"
            rows={record.sections}
            empty={record.posts.length === 0 ? NOTHING_READ : 'No post that is read now has a section.'}
            chosen={section}
            {...(onSection && { onChoose: onSection })}
          />
        </div>
      </div>
    </>
  );
}

/** Boxes as they will be: nothing moves when the figures come. */
const Waiting = () => (
  <>
    <ul class="sheet figures" aria-busy="true">
      {NOW_FIGURES.map((name) => (
        <li key={name} class="figure">
          <i class="ghost" aria-hidden="true" />
        </li>
      ))}
    </ul>
    <section class="sheet today">
      <Ghost rows={6} />
    </section>
  </>
);
