// What a request is given: the parts of the running server, so that tests can pass a clock or a store of their own.
import type { Logger } from 'pino';
import type { OidcSettings } from './console/oidc/provider.ts';
import type { ServerRecord } from './contract/operator.ts';
import type { Crawler } from './crawl/types.ts';
import type { Frontiers } from './evaluation/frontiers.ts';
import type { Ingest } from './ingest/types.ts';
import type { Unsubscribing } from './mail/unsubscribe.ts';
import type { Profiles } from './readers/profiles.ts';
import type { Readership } from './readers/readership.ts';
import type { Library } from './siteIndex/types.ts';
import type { SiteDirectory } from './sites/directory.ts';
import type { Exclusions } from './sites/exclusions.ts';
import type { PartnerDirectory } from './sites/partners.ts';
import type { Store } from './storage/store.ts';
import type { Thumbnails } from './thumbnails/thumbnails.ts';

export interface Deps {
  /** Epoch milliseconds: what time it is, which may be set forward and back. */
  now(): number;
  /** Monotonic milliseconds: how long something takes or is kept. Default: `now`. */
  clock?(): number;
  log: Logger;
  store: Store;
  sites: SiteDirectory;
  partners: PartnerDirectory;
  ingest: Ingest;
  library: Library;
  crawler: Crawler;
  profiles: Profiles;
  /** Absent: nothing is known of what readers read next. */
  readership?: Readership;
  exclusions: Exclusions;
  /** What the mix dial gives on the views of each site. */
  frontiers: Frontiers;
  /** Absent: records name the pictures of posts themselves. */
  thumbnails?: Pick<Thumbnails, 'pathOf' | 'isSigned' | 'get'>;
  /** Absent: no mail was sent whose recipient could unsubscribe. */
  unsubscribing?: Unsubscribing;
  /** For the operator. Absent: it is not known. */
  serverState?: () => Promise<ServerRecord>;
  settings: AppSettings;
}

export interface AppSettings {
  /** Origin of the links in answers, e.g. `https://stats.example.com`; undefined: the request's own host. */
  publicUrl: string | undefined;
  /** Proxies in front of us whose X-Forwarded-For entries are believed, counted from the right. */
  trustedProxies: number;
  /** Folder of the built widget. */
  widgetDir: string;
  /** Bytes of one batch of events; default 512 KiB. */
  maxBatchBytes?: number;
  /** Questions from one /24 or /48 of addresses. Default: as many as come. */
  readRate?: { perSecond: number; burst: number };
  /** Absent: the console is opened by secrets alone. */
  oidc?: OidcSettings | undefined;
}
