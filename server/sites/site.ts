// What a site is: whose traffic is counted, in which time zone, and who may ask about it.
import type { DialSettings } from '../contract/dials.ts';
import type { Experiment } from '../experiments/experiment.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import type { AlarmSettings } from './alarmSettings.ts';
import type { MailRecipient } from './mail.ts';
import type { ReferrerRules } from './referrerRules.ts';
import type { SiteQuotas } from './siteQuotas.ts';
import type { SiteWebhook } from './webhook.ts';

/**
 * Lower-case, domain-like identifier of a site. Made only by `parseSiteId`, so one kind of string cannot pass for
 * another.
 */
export type SiteId = string & { readonly brand: 'SiteId' };

const PATTERN = /^[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?$/;

/**
 * Reads a Site ID: case does not matter, surrounding blanks neither.
 * @returns undefined when the text is not domain-like (letters, digits, dots, hyphens, underscores; at most 253).
 */
export function parseSiteId(text: string): SiteId | undefined {
  const id = text.trim().toLowerCase();
  return PATTERN.test(id) ? (id as SiteId) : undefined;
}

export type SecretKind = 'read' | 'write';

/** A secret that was replaced, and opens until its end all the same. */
export interface RetiringSecret {
  kind: SecretKind;
  /** SHA-256 in hex. */
  hash: string;
  /** Epoch milliseconds. */
  until: number;
}

export interface Site {
  id: SiteId;
  /** IANA name; days are counted in it. */
  timezone: string;
  /**
   * Hosts (a port may be named) whose pages belong to the site, subdomains included; its id too when it is a host name.
   */
  domains: string[];
  /** What is answered without a secret. */
  features: { top: boolean; recommendations: boolean; search: boolean };
  /** SHA-256 in hex of the secret that reads. */
  secretHash: string;
  /** SHA-256 in hex of the 10-character secret that writes metadata. */
  writeSecretHash: string;
  /** Whether metadata of events makes posts of pages that nothing else describes. Default: it does not. */
  eventMetadata?: boolean;
  /** Keys of an event's `data` whose values name segments, beside `segments`. Default: none. */
  segmentKeys?: readonly string[];
  /** Earlier secrets that have not ended yet, or have ended lately. Default: none. */
  retiring?: readonly RetiringSecret[];
  /** Referrers that this site sorts otherwise than the table does, events from then on. Default: none. */
  referrers?: ReferrerRules;
  /** Dials of its related posts, where a request does not name them. Default: those of the server. */
  dials?: DialSettings;
  /** In the order they were started; stopped and archived ones as well. Default: none. */
  experiments?: readonly Experiment[];
  /** Rules of editors for its related lists, by the names of their sets. Default: none. */
  rules?: readonly RuleSet[];
  /** Where winners of headline tests, alarms and the morning page are sent. Default: nowhere. */
  webhook?: SiteWebhook;
  /** Which alarms are sent to the webhook, and when none are raised. Default: none are sent. */
  alarms?: AlarmSettings;
  /** Who gets mails. Default: none. */
  mail?: readonly MailRecipient[];
  /** Default: none. */
  quotas?: SiteQuotas;
  /** Epoch milliseconds. */
  createdAt: number;
}
