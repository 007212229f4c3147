// All sites of the server: what comes in, what is refused, and a way into the console of each. Names come from outside:
// they are text.
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import {
  type OperatorSite,
  type OperatorSitesAnswer,
  SITES_ON_PAGE,
  type SiteOrder,
} from '../../../server/contract/operator.ts';
import { toFigure } from '../figures.ts';
import { useLive } from '../now/useLive.ts';
import { Empty, Failed, Ghost, Stale } from '../states.tsx';
import { SessionEnded } from '../useAnswer.ts';
import type { Choose, OperatorChoice } from './operatorChoice.ts';
import { toIndex, toLastView } from './words.ts';

const ORDERS: readonly (readonly [SiteOrder, string])[] = [
  ['views', 'Most views'],
  ['name', 'Name'],
  ['refused', 'Refused'],
  ['silent', 'Silent'],
];

/** A word is looked for when no key was pressed for so long. */
const TYPED_MS = 250;

interface Props {
  choice: OperatorChoice;
  choose: Choose;
}

export function SitesView({ choice, choose }: Props) {
  const ended = useContext(SessionEnded);
  const { find, sort, page } = choice;
  const asked = [
    ['find', find],
    ['sort', sort],
    ['page', String(page)],
  ] as const;
  const { body, isLoading, message, pause, retry } = useLive<OperatorSitesAnswer>('operator/sites', asked, ended);
  // The list stays while another is on its way.
  const last = useRef<OperatorSitesAnswer>(undefined);
  last.current = body ?? last.current;
  const shown = last.current;
  return (
    <main id="figures" class="operator" tabIndex={-1}>
      <h1>
        Sites <small>{shown && toFigure(shown.sites)}</small>
      </h1>
      <section
        class="sheet panel sites"
        aria-label="Sites"
        aria-busy={isLoading || (body === undefined && message === '')}
      >
        <Chooser {...{ choice, choose }} />
        {message !== '' && shown !== undefined && <Stale message={message} pause={pause} retry={retry} />}
        {shown === undefined && (message === '' ? <Ghost rows={8} /> : <Failed message={message} retry={retry} />)}
        {shown && <Found {...shown} choose={choose} />}
      </section>
    </main>
  );
}

function Chooser({ choice, choose }: Props) {
  const [typed, setTyped] = useState(choice.find);
  // What was chosen here last: the choice is drawn a moment later, when more may have been typed, which stays.
  const chosen = useRef(choice.find);
  useEffect(() => {
    if (choice.find === chosen.current) return;
    chosen.current = choice.find;
    setTyped(choice.find);
  }, [choice.find]);
  useEffect(() => {
    if (typed === chosen.current) return undefined;
    const timer = setTimeout(() => {
      chosen.current = typed;
      choose({ find: typed, page: 1 }, 'typed');
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search class="chooser">
      <label>
        <span class="hidden">Find a site</span>
        <input
          type="search"
          placeholder="Site, domain or partner"
          maxLength={253}
          autocapitalize="none"
          spellcheck={false}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <fieldset class="choose">
        <legend class="hidden">Order</legend>
        {ORDERS.map(([name, title]) => (
          <button
            key={name}
            type="button"
            aria-pressed={choice.sort === name}
            onClick={() => choose({ sort: name, page: 1 })}
          >
            {title}
          </button>
        ))}
      </fieldset>
    </search>
  );
}

interface TurnProps {
  to: number;
  isThere: boolean;
  choose: Choose;
  children: string;
}

/** Not `disabled` on the last page, which would take the focus from the button that led there. */
const Turn = ({ to, isThere, choose, children }: TurnProps) => (
  <button type="button" aria-disabled={!isThere} onClick={() => isThere && choose({ page: to })}>
    {children}
  </button>
);

function Found({ data, sites, found, page, pages, shared, now, choose }: OperatorSitesAnswer & { choose: Choose }) {
  const first = (page - 1) * SITES_ON_PAGE + 1;
  const range = pages === 1 ? '' : `${toFigure(first)} to ${toFigure(first + data.length - 1)} of `;
  return (
    <>
      {sites === 0 && <Empty>There is no site yet. This makes one: afterword site add example.com</Empty>}
      {sites > 0 && found === 0 && <Empty>No site is called so, and no domain or partner.</Empty>}
      {found > 0 && <Rows data={data} now={now} />}
      {found > 0 && (pages > 1 || found < sites) && (
        <nav class="pages" aria-label="Pages">
          <span role="status">
            {range}
            {toFigure(found)} {found === 1 ? 'site' : 'sites'}
          </span>
          {pages > 1 && (
            <>
              <Turn to={page - 1} isThere={page > 1} choose={choose}>
                Previous
              </Turn>
              <Turn to={page + 1} isThere={page < pages} choose={choose}>
                Next
              </Turn>
            </>
          )}
        </nav>
      )}
      <p class="hint">
        Views are those of all pages. Refused: events of the last 30 minutes that were not stored
        {shared && ', as the copy of the server that answers counts them'}; each site’s Set-up says what to do.
      </p>
    </>
  );
}

const Rows = ({ data, now }: { data: readonly OperatorSite[]; now: string }) => (
  <table>
    <thead>
      <tr>
        <th scope="col">Site</th>
        <th scope="col">Views today</th>
        <th scope="col">Last hour</th>
        <th scope="col" class="wide">
          Last view
        </th>
        <th scope="col">Refused</th>
        <th scope="col" class="wide">
          Posts
        </th>
        <th scope="col" class="wide">
          Index
        </th>
      </tr>
    </thead>
    <tbody>
      {data.map((row) => (
        <Row key={row.site} row={row} now={now} />
      ))}
    </tbody>
  </table>
);

function Row({ row, now }: { row: OperatorSite; now: string }) {
  const { site, timezone, partner, views_today, views_hour, refused, refused_as, posts } = row;
  const folder = `site/${encodeURIComponent(site)}/`;
  return (
    <tr data-key={site}>
      <th scope="row">
        <a href={folder}>
          <bdi>{site}</bdi>
        </a>
        <small class="soft">
          {timezone}
          {partner !== null && <>, made by {<bdi>{partner}</bdi>}</>}
        </small>
      </th>
      <td data-metric="views_today">{toFigure(views_today)}</td>
      <td data-metric="views_hour">{toFigure(views_hour)}</td>
      <td class="wide">{toLastView(row, now)}</td>
      <td data-metric="refused">
        {refused === 0 ? (
          <span class="soft">0</span>
        ) : (
          <a class="falls" href={`${folder}?view=setup`}>
            {toFigure(refused)}
            <small>{refused_as?.replaceAll('-', ' ')}</small>
            <span class="hidden"> of {site}</span>
          </a>
        )}
      </td>
      <td class="wide" data-metric="posts">
        {toFigure(posts)}
      </td>
      <td class="wide">{toIndex(row)}</td>
    </tr>
  );
}
