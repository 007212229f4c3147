// The operator's pages: all sites, and the server.
import { Bar } from '../bar.tsx';
import { usePageTitle } from '../pageTitle.ts';
import { placeOf } from '../place.ts';
import { type OperatorChoice, useOperatorChoice, writeOperatorChoice } from './operatorChoice.ts';
import { ServerView } from './serverView.tsx';
import { SitesView } from './sitesView.tsx';

const VIEWS = [
  ['sites', 'Sites'],
  ['server', 'Server'],
] as const;

export function OperatorPage({ onSignOut }: { onSignOut: () => void }) {
  const { root, site } = placeOf();
  const [choice, choose] = useOperatorChoice();
  usePageTitle(choice.view === 'sites' ? 'Sites' : 'Server', 'Operator');
  // The console of a site that there is has a session of its own.
  const isLost = site !== undefined;
  const open = (view: OperatorChoice['view']) => (event: MouseEvent) => {
    if (isLost || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    choose({ view });
    scrollTo(0, 0);
  };
  return (
    <>
      <Bar onSignOut={onSignOut}>
        <strong class="site">Operator</strong>
        <nav class="views" aria-label="Views">
          {VIEWS.map(([view, title]) => (
            <a
              key={view}
              href={root + (writeOperatorChoice({ ...choice, view }) || (root === '' ? '?' : ''))}
              {...(!isLost && choice.view === view && { 'aria-current': 'page' as const })}
              onClick={open(view)}
            >
              {title}
            </a>
          ))}
        </nav>
      </Bar>
      {isLost && <Lost site={site} root={root} />}
      {!isLost && choice.view === 'sites' && <SitesView choice={choice} choose={choose} />}
      {!isLost && choice.view === 'server' && <ServerView />}
    </>
  );
}

const Lost = ({ site, root }: { site: string; root: string }) => (
  <main id="figures" class="operator" tabIndex={-1}>
    <h1>There is no such site</h1>
    <p>
      No site of this server is called <bdi>{site}</bdi>. It may have been removed. <a href={root}>All sites</a>
    </p>
  </main>
);
