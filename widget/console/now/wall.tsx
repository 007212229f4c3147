// The site now, for a screen on a wall: large, without anything to click, set up by its address.
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { NowFigure, NowPost, NowQuarter, NowRecord, NowSource } from '../../../server/contract/now.ts';
import { toFigure } from '../figures.ts';
import { SessionEnded } from '../useAnswer.ts';
import { useWidth } from '../useWidth.ts';
import type { ViewProps } from '../views.ts';
import { Band } from './band.tsx';
import { Sparkline } from './sparkline.tsx';
import { TodayPicture } from './todayPicture.tsx';
import { TrendSign } from './trendSign.tsx';
import { useLive } from './useLive.ts';
import { readWallSettings } from './wallSettings.ts';
import { isOfNow, KINDS, LABELS, leftOut, momentOf, PLACES, updatedAt, usualOf, whyNothing, written } from './words.ts';

/** Figures in a row, and kinds of sources in the next one. */
const ROW = 3;

export function Wall(props: ViewProps) {
  const { session } = props;
  const { posts, theme } = readWallSettings(location.search);
  const [isEnded, setEnded] = useState(false);
  const look = useContext(SessionEnded);
  const isShared = session.shared !== undefined;
  const ended = useCallback(() => (isShared ? look() : setEnded(true)), [isShared, look]);
  useTheme(theme);
  return isEnded ? <Ended site={session.site} /> : <Live {...props} posts={posts} onEnded={ended} />;
}

/** @param props.onEnded A constant, which does not change. */
function Live({ session, choice, posts, onEnded }: ViewProps & { posts: number; onEnded: () => void }) {
  const { section } = choice.filters;
  const narrowed = section === undefined ? [] : [['section', section] as const];
  const { body, message } = useLive<{ data: [NowRecord] }>(
    '/v2/analytics/now',
    [['posts', String(posts)], ...narrowed],
    onEnded,
  );
  const record = body?.data[0];
  return (
    <main id="figures" class="wall" style={{ '--posts': String(posts) }}>
      <h1>
        <bdi>{section ?? session.site}</bdi>
      </h1>
      {record && <Screen record={record} zone={session.timezone} />}
      {!record && message === '' && <p class="soft">Loading…</p>}
      <p class={`foot ${message === '' ? 'soft' : 'late'}`}>
        {/* The time alone changes with each answer: it is not announced. */}
        <span role="status">{message}</span>{' '}
        {record && `${message === '' ? '' : 'Last updated '}${updatedAt(record, session.timezone)}`}{' '}
        {leftOut(choice.filters)}
      </p>
    </main>
  );
}

function Screen({ record, zone }: { record: NowRecord; zone: string }) {
  const [readers, ...others] = record.figures;
  return (
    <>
      <section class="first" aria-label="Figures">
        {readers && <Readers figure={readers} says={saysOf(readers, record, zone)} />}
        <ul>
          {others.slice(0, ROW).map((figure) => (
            <li key={figure.name}>
              <strong data-figure={figure.name}>{written(figure, figure.value)}</strong>
              <span>
                {LABELS[figure.name]}
                <small>{usualOf(figure)}</small>
              </span>
            </li>
          ))}
        </ul>
        <Kinds sources={record.sources} />
        <Day record={record} />
      </section>
      <ol class="read" aria-label="Posts">
        {record.posts.length === 0 && <li class="soft">Nothing was read in the last five minutes.</li>}
        {record.posts.map((post) => (
          <Row key={post.url} post={post} />
        ))}
      </ol>
    </>
  );
}

function Readers({ figure, says }: { figure: NowFigure; says: string }) {
  return (
    <>
      <p class="readers">
        <strong data-figure="visitors">{written(figure, figure.value)}</strong> reader{figure.value !== 1 && 's'}
      </p>
      <p class="says">
        {figure.place && <b class={figure.place}>{PLACES[figure.place]}.</b>} {says}
      </p>
      <Band figure={figure} />
    </>
  );
}

function saysOf(figure: NowFigure, record: NowRecord, zone: string): string {
  const usual = usualOf(figure);
  if (usual === '') return whyNothing(record);
  return `${usual.replace('usual', 'Usual')} for ${momentOf(record.period_end, zone)}`;
}

/** The kinds of sources that most views of the last five minutes came from. */
function Kinds({ sources }: { sources: readonly NowSource[] }) {
  const most = sources.filter(isOfNow).sort((one, other) => other.views - one.views);
  return (
    <ul class="kinds" aria-label="Views of the last five minutes by kind of source">
      {most.slice(0, ROW).map(({ category, views }) => (
        <li key={category}>
          <strong data-source={category}>{toFigure(views)}</strong> {KINDS[category]}
        </li>
      ))}
    </ul>
  );
}

function Day({ record }: { record: NowRecord }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const text = box.current ? Number.parseFloat(getComputedStyle(box.current).fontSize) : undefined;
  return (
    <div class="day" ref={box}>
      <TodayPicture quarters={record.today.map(whole)} size={{ width, height: Math.round(width * 0.32) }} text={text} />
    </div>
  );
}

/** Without the quarter that has begun: the line would fall to its few views. */
const whole = (quarter: NowQuarter): NowQuarter => (quarter.partial ? { ...quarter, views: null } : quarter);

function Row({ post }: { post: NowPost }) {
  return (
    <li data-key={post.url}>
      <strong>{toFigure(post.visitors)}</strong>
      <bdi class="title">{post.title || post.url}</bdi>
      <Sparkline course={post.course} trend={post.trend} />
      <TrendSign trend={post.trend} />
    </li>
  );
}

const Ended = ({ site }: { site: string }) => (
  <main id="figures" class="wall ended">
    <h1>
      <span role="alert">The session has ended</span>
    </h1>
    <p>Sign in to {site} again on this screen. What it shows is in its address, and a session lasts twelve hours.</p>
    <button type="button" class="primary" onClick={() => location.reload()}>
      Sign in
    </button>
  </main>
);

/** The whole page has the theme, as long as it is a wall. */
function useTheme(theme: string): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.theme = theme;
    return () => {
      delete dataset.theme;
    };
  }, [theme]);
}
