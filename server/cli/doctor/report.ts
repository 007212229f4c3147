// What a report of the service says: does its database answer, are there sites, is traffic believed.

import { type Finding, ok, problem, warning } from '../../checkup/finding.ts';
import type { DamagedPart } from '../../storage/checkTables.ts';
import type { ServerReport } from '../admin/report.ts';
import { asWord, count } from '../output.ts';
import { examineExperiments } from './experiments.ts';
import { examineForwarding } from './publicAddress.ts';
import { examineQuotas } from './quotas.ts';
import { examineSpool } from './spool.ts';
import { examineThumbnails } from './thumbnails.ts';

/** A database this slow keeps readers waiting. */
const SLOW_MS = 500;

type Outcome = ServerReport['events'][number]['outcome'];
type Harmless = 'bot' | 'duplicate' | 'opted-out';

/** Why nothing is to be done about events that were dropped as they should be. */
const HARMLESS: Record<Harmless, string> = {
  bot: 'Nothing is to be done: figures count readers alone.',
  duplicate: 'Nothing is to be done, but where they are most of the events: a sender gives all of them the same id.',
  'opted-out': 'Nothing is to be done: the wish of these readers is kept.',
};

/** What to do about events that were dropped for a reason that someone can change. */
const REMEDIES: Record<Exclude<Outcome, 'stored' | Harmless>, string> = {
  malformed: 'A sender leaves out a field, or gives it another type: compare its events with /docs of this server.',
  'bad-url': 'A sender names no full http or https address as url: of an app, send the canonical URL of the post.',
  'unknown-action': 'A sender names an action that there is not: compare its events with /docs of this server.',
  'bad-increment':
    'A heartbeat has no number of seconds as inc, or one out of bounds: compare its sender with /docs of this server.',
  'unknown-site': 'A page names a Site ID that does not exist: look at its data-site, or make the site.',
  'foreign-host': 'Pages of another host carry the tag: add it with afterword site change <site-id> --domain <host>.',
  'rate-limited':
    'One network of addresses sends more than its readers can: afterword serve --address-rate says how much.',
  'site-rate-limited': 'More comes in for the site than it may send: afterword serve --site-rate says how much.',
  'over-events-quota':
    'The site has a quota of events a day, and brings more: afterword site change <site-id> --max-events-per-day <number>.',
  'too-many-events':
    'A sender puts more events into a batch than one may have: afterword serve --max-batch says how many.',
  'too-many-bytes':
    'An app sends larger bodies than are read, and the events beyond the bound are lost: afterword serve --max-body says how much.',
  'too-many-urls':
    'More new addresses in an hour than a site, or one network of readers, may bring: a page that writes random URLs, or one sender that invents addresses. Posts that were declared or read still count; afterword serve --new-urls says how many.',
};

export function examineReport({
  sites,
  searchAlone,
  databaseMs,
  databaseProblem,
  setAside,
  damaged,
  events,
  loading,
  quotas,
  spool,
  thumbnails,
  forwarding,
  gone,
  keptOut,
  halves,
}: ServerReport): Finding[] {
  return [
    examineDatabase(databaseMs, databaseProblem),
    ...(setAside ?? []).map(describeSetAside),
    ...(damaged === undefined ? [] : describeChecked(damaged)),
    examineSites(sites),
    ...searchAlone.map(describeSearch),
    ...loading.map(describeLoading),
    ...(gone ?? []).map(describeGone),
    ...keptOut.map(describeKeptOut),
    ...examineQuotas(quotas),
    ...examineSpool(spool),
    ...examineThumbnails(thumbnails),
    ...examineForwarding(forwarding),
    ...examineExperiments(halves),
    ...examineEvents(events),
  ];
}

function examineDatabase(milliseconds: number | undefined, why = 'It does not answer.'): Finding {
  if (milliseconds === undefined) return problem('database', why, "The server's log says more; events wait meanwhile.");
  const says = `Answers in ${milliseconds} ms.`;
  if (milliseconds > SLOW_MS) return warning('database', says, 'The machine, or the ClickHouse server, is overloaded.');
  return ok('database', says);
}

const RESTORE = 'Restore a backup into a new folder: afterword restore.';

function describeSetAside({ table, part, why }: DamagedPart): Finding {
  const says = `Table ${table}: part ${part} is set aside (${why}), and its rows are in no answer.`;
  return problem('database', says, `${RESTORE} Where they may be lost, remove the part's folder in detached/.`);
}

function describeChecked(damaged: readonly DamagedPart[]): Finding[] {
  if (damaged.length === 0) return [ok('checksums', 'Those of all tables match.')];
  return damaged.map(({ table, part, why }) =>
    problem('checksums', `Table ${table}: part ${part} is damaged (${why}).`, RESTORE),
  );
}

function examineSites(sites: readonly string[]): Finding {
  if (sites.length === 0) return warning('sites', 'There is none.', 'afterword site add example.com');
  return ok('sites', sites.length > 5 ? `There are ${sites.length}.` : sites.join(', '));
}

function describeSearch(site: string): Finding {
  const says = `${site} answers no list, but /search to anyone: whatever its texts say can be asked for.`;
  return warning('search', says, `If that is not meant: afterword site change ${site} --search no`);
}

function describeLoading({ site, progress }: { site: string; progress: number }): Finding {
  return ok('posts', `Those of ${site} are being loaded: ${Math.round(progress * 100)} %.`);
}

const describeGone = ({ site, posts }: { site: string; posts: number }): Finding =>
  ok(
    'posts',
    `${count(posts, 'post')} of ${site} ${posts === 1 ? 'is' : 'are'} in no list, because the page is gone: the console names the last ones (Set-up).`,
  );

const describeKeptOut = ({ site, url }: { site: string; url: string }): Finding =>
  warning(
    'crawler',
    `No post of ${site} is found any more, ${url} for one: its server seems to refuse the crawler. Its posts stay in the lists as they were read last.`,
    `Let AfterwordBot in, then have the page read again: afterword crawl ${asWord(url)}`,
  );

function examineEvents(events: ServerReport['events']): Finding[] {
  return events.map(({ site, outcome, count }) => {
    const whose = site === '' ? 'no known site' : site;
    if (outcome === 'stored') return ok('traffic', `Stored since the start, of ${whose}: ${count}.`);
    const became = outcome === 'too-many-urls' ? 'Stored without their page' : 'Dropped';
    const says = `${became} since the start, of ${whose}, as ${outcome}: ${count}.`;
    return isHarmless(outcome)
      ? ok('traffic', `${says} ${HARMLESS[outcome]}`)
      : warning('traffic', says, REMEDIES[outcome]);
  });
}

const isHarmless = (outcome: Outcome): outcome is Harmless => Object.hasOwn(HARMLESS, outcome);
