// A post: what is known of it, how it grew, where its readers came from and went, what its lists say, and what to do.
import type { StoredPostRecord } from '../../../server/contract/wire.ts';
import type { Params } from '../ask.ts';
import { type FilterName, type Filters, toggled } from '../choice.ts';
import { Devices } from '../devices.tsx';
import { toRange } from '../figures.ts';
import { FilterChips } from '../filterChips.tsx';
import { usePageTitle } from '../pageTitle.ts';
import { PANELS } from '../panels.ts';
import { PanelTable } from '../panelTable.tsx';
import { PeriodChooser } from '../periodChooser.tsx';
import { PeriodFigures } from '../periodFigures.tsx';
import { datesOf, dayIn, paramsOf, spanOf, zoneOfDay } from '../periods.ts';
import { UnlessRefused } from '../refusedFilters.tsx';
import { Failed } from '../states.tsx';
import { useFocusOfView } from '../takeFocus.ts';
import { type Answered, useAnswer } from '../useAnswer.ts';
import { Refreshes, useRefreshes } from '../useRefreshes.ts';
import { useToday } from '../useToday.ts';
import type { ViewProps } from '../views.ts';
import { Actions } from './actions.tsx';
import { Facts } from './facts.tsx';
import { Growth } from './growth.tsx';
import { Head } from './head.tsx';
import { InLists } from './inLists.tsx';
import { MoreTotals } from './moreTotals.tsx';
import { Paths } from './paths.tsx';
import { Pin } from './pin.tsx';
import { Related } from './related.tsx';

export interface Stored {
  data: StoredPostRecord[];
}

export function PostView(props: ViewProps) {
  const { post: url = '' } = props.choice.filters;
  const isAddress = /^https?:\/\/[^\s/]/i.test(url);
  return isAddress ? <OfAddress key={url} url={url} {...props} /> : <NotKnown url={url} {...props} />;
}

function OfAddress({ url, ...props }: ViewProps & { url: string }) {
  const answered = useAnswer<Stored>('/v2/metadata/post', [['url', url]]);
  const [post] = answered.body?.data ?? [];
  useFocusOfView(answered.body !== undefined || answered.message !== '');
  if (answered.message !== '' && !post)
    return (
      <main id="figures" tabIndex={-1}>
        <Failed message={answered.message} retry={answered.retry} />
      </main>
    );
  if (answered.body === undefined) return <p class="looking">Loading…</p>;
  return post ? <OfPost post={post} answered={answered} {...props} /> : <NotKnown url={url} {...props} />;
}

function NotKnown({ url, session }: Pick<ViewProps, 'session'> & { url: string }) {
  usePageTitle(url === '' ? 'Which post?' : 'Not known', session.site);
  return (
    <main id="figures" tabIndex={-1}>
      <section class="sheet unknown">
        <h1>{url === '' ? 'Which post?' : 'Not known'}</h1>
        {url !== '' && (
          <p>
            No post of this site has the address <bdi class="address">{url}</bdi>.
          </p>
        )}
        <p class="soft">
          Find a post by its words above, or choose one in the table of posts. A new post is known when a reader has
          opened it and its page was read, or when its metadata were sent.
        </p>
      </section>
    </main>
  );
}

function OfPost({
  post,
  answered,
  session,
  choice,
  choose,
}: ViewProps & { post: StoredPostRecord; answered: Answered<Stored> }) {
  const { period, own, metric, filters } = choice;
  const { hidden } = post;
  const { url, pub_date, title } = post.stored;
  usePageTitle(title || url, session.site);
  const today = useToday(session);
  const at = Date.parse(pub_date);
  const published = pub_date === '' ? '' : dayIn(zoneOfDay(session.timezone, at), at);
  const dates = datesOf(period, own, today, published);
  const ofPeriod = useRefreshes(dates.to >= today, hidden);
  const ofNow = useRefreshes(true, hidden);
  const { post: _, ...visits }: Filters = filters;
  const time = paramsOf(dates, today);
  const set = Object.entries(visits).map(([name, value]) => [name, value] as const);
  const scope: Params = [...time, ['post', url], ...set];
  const filter = (name: FilterName, value: string) => choose({ filters: toggled(filters, name, value) });
  const file = `${session.site}-post-${shortNameOf(url)}`;
  const span = spanOf(dates);
  const isNarrow = set.length > 0;
  return (
    <main id="figures" class="one" tabIndex={-1}>
      <Head post={post} />
      <Refreshes.Provider value={ofNow}>
        <Growth
          url={url}
          section={post.stored.section}
          hasDate={pub_date !== ''}
          file={`${file}-growth-${spanOf({ from: published, to: today })}`}
        />
      </Refreshes.Provider>
      <section class="choices" aria-label="Period and filters">
        <PeriodChooser period={period} dates={dates} today={today} isOfPost={published !== ''} onChoose={choose} />
        <FilterChips filters={visits} onChange={(next) => choose({ filters: { ...next, post: url } })} />
      </section>
      <Refreshes.Provider value={ofPeriod}>
        <UnlessRefused filters={visits}>
          <PeriodFigures
            label={`Totals, ${toRange(dates)}`}
            {...{ session, choice, choose, scope, dates }}
            file={`${file}-${span}`}
            alone={published >= dates.from && 'Published in these days: there is nothing before to compare with.'}
          >
            <MoreTotals url={url} scope={scope} time={time} isNarrow={isNarrow} />
          </PeriodFigures>
          <div class="panels">
            {PANELS.filter(({ name }) => OF_VISITS.includes(name)).map((panel) => (
              <PanelTable
                key={panel.name}
                panel={panel}
                scope={scope}
                metric={metric}
                filters={filters}
                onFilter={filter}
                file={`${file}-${panel.name}-${span}`}
              />
            ))}
            <Devices scope={scope} filters={filters} onFilter={filter} file={`${file}-devices-${span}`} />
            <Paths {...{ url, time, visits, file, span }} />
            <InLists {...{ url, time, file, span }} />
          </div>
        </UnlessRefused>
      </Refreshes.Provider>
      <Refreshes.Provider value={ofNow}>
        <Related url={url} file={`${file}-related-${today}`} />
      </Refreshes.Provider>
      <Facts
        post={post}
        actions={
          <>
            <Actions {...{ session, post, answered }} />
            {session.shared === undefined && <Pin session={session} post={post} />}
          </>
        }
      />
    </main>
  );
}

const LONGEST_NAME = 60;

/** The end of its address, which need not be a URL, names the post in the name of a file: of a front page, its host. */
const shortNameOf = (url: string): string =>
  (
    url
      .replace(/[?#].*/s, '')
      .split('/')
      .filter(Boolean)
      .at(-1) ?? ''
  ).slice(0, LONGEST_NAME);

const OF_VISITS: readonly string[] = ['referrers', 'channels', 'campaigns', 'segments'];
