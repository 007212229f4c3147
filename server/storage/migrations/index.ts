// The schema's history, in order. Add a step at the end; never change one that has been released.
import { tables } from './0001-tables.ts';
import { rollups } from './0002-rollups.ts';
import { crawl } from './0003-crawl.ts';
import { partnersStep } from './0004-partners.ts';
import { retiringSecrets } from './0005-retiring-secrets.ts';
import { sharedSalt } from './0006-salts.ts';
import { visitorWeeks } from './0007-visitor-weeks.ts';
import { vectorsOfPosts } from './0008-post-vectors.ts';
import { quickerEdges } from './0009-quicker-edges.ts';
import { durableMerges } from './0010-durable-merges.ts';
import { searchSwitch } from './0011-search-switch.ts';
import { crawlPriority } from './0012-crawl-priority.ts';
import { referrerHosts } from './0013-referrer-hosts.ts';
import { referrerRules } from './0014-referrer-rules.ts';
import { eventSettings } from './0015-event-settings.ts';
import { installationKeys } from './0016-installation-keys.ts';
import { copiesOfServer } from './0017-copies.ts';
import { siteQuotas } from './0018-site-quotas.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  tables,
  rollups,
  crawl,
  partnersStep,
  retiringSecrets,
  sharedSalt,
  visitorWeeks,
  vectorsOfPosts,
  quickerEdges,
  durableMerges,
  searchSwitch,
  crawlPriority,
  referrerHosts,
  referrerRules,
  eventSettings,
  installationKeys,
  copiesOfServer,
  siteQuotas,
];
