// The admin application: what commands read and change. One implementation, called over the local socket when a server
// runs, and in process by a command that opened the data itself.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { StoreUnavailableError, UnknownSiteError } from '../errors.ts';
import type { Forwarding } from '../http/clientAddress.ts';
import type { Spool } from '../ingest/queue/spool.ts';
import { InputError } from '../inputError.ts';
import type { Assistant } from '../mcp/assistant.ts';
import type { Mailing } from '../messages/deliver.ts';
import type { LoadedLibrary } from '../siteIndex/types.ts';
import type { Quotas } from '../sites/quotas.ts';
import { PostQuotaError } from '../sites/siteQuotas.ts';
import { MoveUnderWayError } from '../storage/errors.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';
import { alarmAdmin } from './admin/alarms.ts';
import { annotationAdmin } from './admin/annotations.ts';
import { assistantAdmin } from './admin/assistant.ts';
import { backupAdmin } from './admin/backups.ts';
import { crawlAdmin } from './admin/crawl.ts';
import { experimentAdmin } from './admin/experiments.ts';
import { headlineAdmin } from './admin/headlines.ts';
import { listsAdmin } from './admin/lists.ts';
import { mailAdmin } from './admin/mails.ts';
import { type MoveDeps, moveAdmin } from './admin/moves.ts';
import { operatorAdmin } from './admin/operator.ts';
import { partnerAdmin } from './admin/partners.ts';
import { postAdmin } from './admin/posts.ts';
import { reportAdmin } from './admin/report.ts';
import { ruleAdmin } from './admin/rules.ts';
import { seriesAdmin } from './admin/series.ts';
import { type ShareDeps, shareAdmin } from './admin/shares.ts';
import { sitemapAdmin } from './admin/sitemaps.ts';
import { siteSizeAdmin } from './admin/siteSizes.ts';
import { OTHER_SITES, siteAdmin } from './admin/sites.ts';
import { spoolAdmin } from './admin/spool.ts';
import { transferAdmin } from './admin/transfer.ts';
import { visitorAdmin } from './admin/visitors.ts';
import { webhookAdmin } from './admin/webhooks.ts';
import { awayInWords } from './awayInWords.ts';
import { CommandError, type ExitCode } from './commandError.ts';
import { createStoredBatches } from './transfer/storedBatch.ts';

export type AdminDeps = Pick<Deps, 'now' | 'sites' | 'partners' | 'store' | 'exclusions'> & {
  /** The data folder. */
  data: string;
  library: LoadedLibrary;
  quotas: Pick<Quotas, 'read' | 'uses' | 'posts'>;
  ingest?: Pick<Deps['ingest'], 'counts' | 'backlog'>;
  spool?: Spool | undefined;
  profiles?: Pick<Deps['profiles'], 'forget'>;
  thumbnails?: Pick<Thumbnails, 'unable' | 'counts' | 'bytes'>;
  forwarding?: Pick<Forwarding, 'counts'>;
  /** For a move of the database while it is used. Absent where a command opened the data. */
  live?: MoveDeps['live'];
  /** Absent where a command opened the data, and where no mails are sent. */
  mailing?: Mailing | undefined;
  /** Absent where a command opened the data: assistants ask a server. */
  assistant?: Assistant;
  grants?: ShareDeps['grants'];
  /** Absent where a command opened the data that reads no pages. */
  crawler?: Deps['crawler'];
};

/** As the doors name fields: `date: Give a date such as …`. */
const inSentences = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join(' ');

/** The body of a refusal. `exitCode` is 2 where a value of the command line is what has to change. */
const refusalOf = (message: string, exitCode: ExitCode = 1) => ({ message, exitCode });

export function createAdmin(deps: AdminDeps): Hono {
  const admin = new Hono();
  const batches = createStoredBatches(deps.data);
  admin.onError((error, c) => {
    if (error instanceof CommandError) return c.json(refusalOf(error.message, error.exitCode), 422);
    if (error instanceof InputError) return c.json(refusalOf(error.message, error.fault === 'input' ? 2 : 1), 422);
    if ([PostQuotaError, MoveUnderWayError].some((kind) => error instanceof kind))
      return c.json(refusalOf(error.message), 422);
    if (error instanceof StoreUnavailableError)
      return c.json(refusalOf(awayInWords(error, deps.store.isShared() ? undefined : deps.data)), 422);
    if (error instanceof UnknownSiteError) return c.json(refusalOf(`${error.message} ${OTHER_SITES}`), 422);
    if (error instanceof z.ZodError) return c.json(refusalOf(inSentences(error), 2), 422);
    throw error;
  });
  admin.route('/', siteAdmin(deps));
  admin.route('/', siteSizeAdmin(deps));
  admin.route('/', webhookAdmin(deps));
  admin.route('/', alarmAdmin(deps));
  admin.route('/', shareAdmin(deps));
  admin.route('/', annotationAdmin(deps));
  admin.route('/', mailAdmin({ ...deps, isServer: deps.live !== undefined }));
  admin.route('/', experimentAdmin(deps));
  admin.route('/', ruleAdmin(deps));
  admin.route('/', partnerAdmin(deps));
  admin.route('/', operatorAdmin(deps));
  admin.route('/', postAdmin(deps));
  admin.route('/', headlineAdmin(deps));
  admin.route('/', seriesAdmin(deps));
  admin.route('/', listsAdmin(deps));
  admin.route('/', reportAdmin(deps));
  admin.route('/', transferAdmin({ ...deps, batches }));
  admin.route('/', visitorAdmin(deps));
  admin.route('/', backupAdmin({ ...deps, batches }));
  admin.route('/', moveAdmin(deps));
  const { crawler, spool, assistant } = deps;
  if (assistant !== undefined) admin.route('/', assistantAdmin({ sites: deps.sites, assistant }));
  if (spool !== undefined) admin.route('/', spoolAdmin(spool));
  if (crawler !== undefined) {
    admin.route('/', crawlAdmin({ sites: deps.sites, crawler }));
    admin.route('/', sitemapAdmin({ sites: deps.sites, crawler, now: deps.now }));
  }
  return admin;
}
