// Whether the tag of the site works, live; posts that need care; the lines to paste; and a live page checked. Addresses
// come from outside: they are text.
import { useContext } from 'preact/hooks';
import type { SetUpDrops, SetUpRecord } from '../../../server/contract/setUp.ts';
import { Check } from '../../preview/check.tsx';
import partsCss from '../../preview/parts.css?inline';
import { ServerRoot } from '../../preview/serverRoot.ts';
import { PageLink } from '../choiceLink.tsx';
import { toFigure } from '../figures.ts';
import { useLive } from '../now/useLive.ts';
import { zoneHere } from '../periods.ts';
import { serverRoot } from '../place.ts';
import { Empty, Failed, Ghost, Stale } from '../states.tsx';
import { SessionEnded } from '../useAnswer.ts';
import type { ViewProps } from '../views.ts';
import { ContentAudit } from './contentAudit.tsx';
import { Minutes } from './minutes.tsx';
import { Paste } from './paste.tsx';
import { KINDS, listsOf, remedyOf, verdictOf } from './words.ts';

// What this view has of the preview is loaded with it, its looks as well: the console's own style sheet is part of the
// first load.
const looks = new CSSStyleSheet();
looks.replaceSync(partsCss);
document.adoptedStyleSheets.push(looks);

export function SetUp({ session }: ViewProps) {
  const ended = useContext(SessionEnded);
  const { body, message, pause, retry } = useLive<{ data: [SetUpRecord] }>('/v2/analytics/setup', [], ended);
  const record = body?.data[0];
  const { site, timezone } = session;
  return (
    <main id="figures" class="set-up" tabIndex={-1}>
      <h1>
        Set-up <small>{site}</small>
      </h1>
      <section class="sheet panel" aria-label="Is my tag working?">
        <header>
          <h2>Is my tag working?</h2>
          <span class="soft updated">
            {record && `${message === '' ? 'Updated' : 'Last updated'} ${clock(record.period_end, timezone, record)}`}
          </span>
        </header>
        {message !== '' && record !== undefined && <Stale message={message} pause={pause} retry={retry} />}
        {record === undefined && (message === '' ? <Ghost rows={6} /> : <Failed message={message} retry={retry} />)}
        {record && <Working record={record} zone={timezone} site={site} />}
      </section>
      <ContentAudit session={session} />
      <ServerRoot.Provider value={serverRoot()}>
        <Paste site={site} />
        <section class="sheet panel check-page" aria-label="Check your page">
          <header>
            <h2>Check your page</h2>
          </header>
          <Check site={site} />
        </section>
      </ServerRoot.Provider>
    </main>
  );
}

function Working({ record, zone, site }: { record: SetUpRecord; zone: string; site: string }) {
  const verdict = verdictOf(record);
  return (
    <>
      <p class={`verdict ${verdict.is}`} role="status">
        {verdict.says}
      </p>
      <Events record={record} zone={zone} />
      <p class="hint">{listsOf(record)}</p>
      <h3>Not stored</h3>
      {record.drops.length === 0 ? (
        <Empty>No event was refused in the last 30 minutes.</Empty>
      ) : (
        <Drops drops={record.drops} site={site} />
      )}
      <p class="hint">
        Counted since the start of the server
        {record.shared && ', by the copy that answers: other copies count their own'}.
      </p>
    </>
  );
}

const Events = ({ record, zone }: { record: SetUpRecord; zone: string }) => (
  <table class="events">
    <thead>
      <tr>
        <th scope="col">Came in</th>
        <th scope="col" class="course">
          By minute
        </th>
        <th scope="col">30 minutes</th>
        <th scope="col">Last</th>
      </tr>
    </thead>
    <tbody>
      {record.events.map(({ kind, count, course, last }) => (
        <tr key={kind} data-key={kind}>
          <th scope="row">
            {KINDS[kind]}
            {last && (
              <span class="where">
                <bdi>{last.url}</bdi>
                <PageLink url={last.url} of={last.url} />
              </span>
            )}
          </th>
          <td class="course">
            <Minutes course={course} />
          </td>
          <td data-value={count}>{toFigure(count)}</td>
          <td>{last ? clock(last.time, zone, record) : <span class="soft">none</span>}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Drops = ({ drops, site }: { drops: readonly SetUpDrops[]; site: string }) => (
  <table class="drops">
    <thead>
      <tr>
        <th scope="col">Why, and what to do</th>
        <th scope="col" class="course">
          By minute
        </th>
        <th scope="col">30 minutes</th>
      </tr>
    </thead>
    <tbody>
      {drops.map(({ reason, host, count, course }) => {
        const { name, says } = remedyOf({ reason, host }, site);
        return (
          <tr key={reason} data-key={reason}>
            <th scope="row">
              {name}
              <span class="remedy">{says}</span>
            </th>
            <td class="course">
              <Minutes course={course} />
            </td>
            <td data-value={count}>{toFigure(count)}</td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

/** By the clock of the site; with the day where that is not the day of the answer. */
function clock(iso: string, zone: string, { period_end: now }: SetUpRecord): string {
  const timeZone = zoneHere(zone);
  const at = new Date(iso);
  const day = (date: Date) =>
    date.toLocaleDateString('en-GB', { timeZone, weekday: 'short', day: 'numeric', month: 'short' });
  const time = at.toLocaleTimeString('en-GB', { timeZone });
  return day(at) === day(new Date(now)) ? time : `${day(at)}, ${time}`;
}
