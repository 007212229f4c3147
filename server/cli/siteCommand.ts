// `afterword site …`: making, changing and removing sites.
import { Command, InvalidArgumentError } from 'commander';
import {
  type AddressSettings,
  type CrawlSettings,
  crawlOptions,
  listenOptions,
  type StorageSettings,
} from '../config.ts';
import { REFERRER_CATEGORIES } from '../contract/referrers.ts';
import { DAY, HOUR, MINUTE } from '../durations.ts';
import type { SiteInfo } from './admin/siteInfo.ts';
import type { NewSite, Revoked, Rotation, SiteChange, SiteSecrets } from './admin/sites.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import type { Installation } from './installation.ts';
import { addressOf, archiveLines, findArchive, NOTHING_FOUND, tagLines } from './newSiteLines.ts';
import { plain, print } from './output.ts';
import { type Reach, withReach } from './reach.ts';
import { changeLines } from './siteChangeLines.ts';
import { type DialFlags, dialLines, dialOptions, toDials } from './siteDials.ts';
import { sitePath } from './sitePath.ts';
import { type QuotaFlags, quotaCell, quotaLines, quotaOptions, toQuotas } from './siteQuotas.ts';
import { addRemoveCommand } from './siteRemoveCommand.ts';
import { addSizeCommand } from './siteSizeCommand.ts';
import { addWebhookCommand } from './siteWebhookCommand.ts';
import type { Method } from './socketClient.ts';
import { table } from './table.ts';

type ChangeFlags = DataFlags & {
  timezone?: string;
  domain?: string[];
  referrer?: string[];
} & SiteChange['features'] & {
    eventMetadata?: boolean;
    segmentKey?: string[];
    removeSegmentKey?: string[];
  } & DialFlags &
  QuotaFlags;

type AddFlags = ChangeFlags & CrawlSettings & AddressSettings & { discover: boolean };

export function siteCommand(installation: Installation): Command {
  const site = new Command('site')
    .summary('make, list, change and remove sites')
    .description('Sites: whose traffic is counted. These commands work while the server runs, and when it does not.');
  addAddCommand(site, installation);
  addShowCommands(site);
  addChangeCommand(site);
  addSecretCommands(site);
  addWebhookCommand(site);
  addSizeCommand(site);
  addRemoveCommand(site);
  return site;
}

function addAddCommand(site: Command, { version, readingThread }: Installation): void {
  const add = changeOptions(
    dataCommand(site, 'add', 'make a site and print its secrets, which are shown only now', 'make'),
  )
    .argument('<site-id>', 'its name, usually the domain: example.com')
    .option('--no-discover', 'do not ask the site for its sitemap')
    .action(async (id: string, flags: AddFlags) => {
      const { publicUrl, allowPrivateCrawl: allowPrivate } = flags;
      const crawl = { thread: readingThread, version, publicUrl, allowPrivate };
      await withReach({ ...flags, crawl, make: true }, async (reach) => {
        const made = await reach.ask<SiteSecrets>('POST', '/sites', {
          apikey: id,
          ...toChange(flags),
        } satisfies NewSite);
        // Asked after the site was made: a server that was starting knows its address by then.
        const tag = tagLines(made.apikey, addressOf(await reach.status(), flags));
        print(flags, made, () => [`Site ${made.apikey} is ready.`, ...secretLines(made), ...tag]);
        if (flags.json !== true) await printArchive(reach, made.apikey, flags);
      });
    });
  for (const option of [...listenOptions(), ...crawlOptions()]) add.addOption(option);
}

function addShowCommands(site: Command): void {
  dataCommand(site, 'list', 'list the sites').action(async (flags: DataFlags) => {
    const sites = await ask<SiteInfo[]>(flags, 'GET', '/sites');
    print(flags, sites, () =>
      sites.length === 0 ? ['No site yet. Make one: afterword site add example.com'] : siteTable(sites),
    );
  });

  dataCommand(site, 'show', 'show one site')
    .argument('<site-id>')
    .action(async (id: string, flags: DataFlags) => {
      const found = await ask<SiteInfo>(flags, 'GET', sitePath(id));
      print(flags, found, () => siteLines(found));
    });
}

function addChangeCommand(site: Command): void {
  changeOptions(
    dataCommand(
      site,
      'change',
      'change the time zone, hosts, features, referrer rules, segment keys, dials or quotas of a site',
    ),
  )
    .argument('<site-id>')
    .option('--remove-segment-key <key>', 'take no segments from a key any more; repeat it for more', repeated)
    .action(async (id: string, flags: ChangeFlags) => {
      const change = toChange(flags) satisfies SiteChange;
      if (isEmpty(change)) throw new CommandError(NOTHING_TO_CHANGE, 2);
      const [before, now] = await withReach(flags, async (reach) => [
        await reach.ask<SiteInfo>('GET', sitePath(id)),
        await reach.ask<SiteInfo>('PATCH', sitePath(id), change),
      ]);
      print(flags, now, () => [...siteLines(now), ...changeLines(before, now)]);
    });
}

function addSecretCommands(site: Command): void {
  dataCommand(
    site,
    'rotate-secret',
    'replace the read secret of a site; the old one stops working at once, or after --overlap',
  )
    .argument('<site-id>')
    .option('--write', 'replace the secret that writes metadata instead')
    .option('--both', 'replace both')
    .option('--overlap <time>', 'how long the old one continues working: 30m, 24h, 7d; at most 90d', duration)
    .action(async (id: string, flags: DataFlags & { write?: boolean; both?: boolean; overlap?: number }) => {
      const which: Rotation = {
        read: flags.both === true || flags.write !== true,
        write: flags.both === true || flags.write === true,
        overlapMs: flags.overlap ?? 0,
      };
      const made = await ask<SiteSecrets>(flags, 'POST', `${sitePath(id)}/secrets`, which);
      print(flags, made, () => secretLines(made));
    });

  dataCommand(site, 'revoke-secrets', 'end at once every old secret of a site that still works')
    .argument('<site-id>')
    .action(async (id: string, flags: DataFlags) => {
      const { apikey, ended } = await ask<Revoked>(flags, 'DELETE', `${sitePath(id)}/secrets`);
      print(flags, { apikey, ended }, () => [`${ended} old ${ended === 1 ? 'secret has' : 'secrets have'} ended.`]);
    });
}

/** Names the sitemap where the site has one; secrets and tag are printed before, whatever becomes of the search. */
async function printArchive(reach: Reach, id: string, { discover }: AddFlags): Promise<void> {
  const found = discover ? await findArchive(reach, id) : NOTHING_FOUND;
  process.stdout.write(`${plain(archiveLines(id, found).join('\n'))}\n`);
}

function changeOptions(command: Command): Command {
  command
    .option(
      '--timezone <area/city>',
      'zone its days are counted in (UTC when never said); views that are counted stay in the days they are in',
    )
    .option('--domain <host>', 'a host whose pages are the site; repeat it for more; none: no other host', hosts)
    .option(
      '--referrer <host=category>',
      `sort views from a host otherwise, those that come in from now on: ${REFERRER_CATEGORIES.join(', ')}, or none to remove the rule; *.host means its subdomains; repeat it for more`,
      repeated,
    )
    .option('--top <yes|no>', 'answer /top, which needs no secret (yes when never said)', yesOrNo)
    .option('--recommendations <yes|no>', 'answer /related, /profile and /history (yes when never said)', yesOrNo)
    .option('--search <yes|no>', 'answer /search, which needs no secret (yes when never said)', yesOrNo)
    .option(
      '--event-metadata <on|off>',
      'make posts of metadata in events, for app content that no crawler can read; anyone may send events (off when never said)',
      onOrOff,
    )
    .option(
      '--segment-key <key>',
      'take an event\'s data under this key as names of segments: plan of {"plan":"basic"}; repeat it for more',
      repeated,
    );
  return quotaOptions(dialOptions(command));
}

/** Without this, no option at all would look as if something had been done. */
const NOTHING_TO_CHANGE =
  'Say what to change, such as --timezone Europe/Madrid or --domain www.example.com: afterword site change --help lists the options.';

const isEmpty = ({ features, dials, quotas, ...others }: SiteChange) =>
  [features ?? {}, dials ?? {}, quotas ?? {}, others].flatMap(Object.values).every((value) => value === undefined);

const repeated = (value: string, earlier: string[] = []) => [...earlier, value];

/** `none` alone empties the list. */
function hosts(value: string, earlier?: string[]): string[] {
  const isNone = value.trim().toLowerCase() === 'none';
  if (isNone ? earlier !== undefined : earlier?.length === 0)
    throw new InvalidArgumentError('none empties the list: give it alone, or the hosts.');
  return isNone ? [] : [...(earlier ?? []), value];
}

const UNITS: Record<string, number> = { m: MINUTE, h: HOUR, d: DAY };

/** Milliseconds of `30m`, `24h` or `7d`. */
function duration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text.trim()) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= 90 * DAY) return milliseconds;
  throw new InvalidArgumentError('It takes minutes, hours or days, such as 30m, 24h or 7d; at most 90d.');
}

function yesOrNo(word: string): boolean {
  if (word === 'yes') return true;
  if (word === 'no') return false;
  throw new InvalidArgumentError('It takes yes or no.');
}

function onOrOff(word: string): boolean {
  if (word === 'on') return true;
  if (word === 'off') return false;
  throw new InvalidArgumentError('It takes on or off.');
}

function toChange({ timezone, domain, referrer, top, recommendations, search, ...events }: ChangeFlags): SiteChange {
  const { eventMetadata, segmentKey: segmentKeys, removeSegmentKey: removedSegmentKeys } = events;
  const features = {
    ...(top === undefined ? {} : { top }),
    ...(recommendations === undefined ? {} : { recommendations }),
    ...(search === undefined ? {} : { search }),
  };
  const quotas = toQuotas(events);
  return {
    timezone,
    domains: domain,
    referrers: referrer,
    features,
    eventMetadata,
    segmentKeys,
    removedSegmentKeys,
    dials: toDials(events),
    quotas,
  };
}

function ask<T>(settings: StorageSettings, method: Method, path: string, body?: unknown): Promise<T> {
  return withReach(settings, (reach) => reach.ask<T>(method, path, body));
}

function secretLines({ secret, write_secret }: SiteSecrets): string[] {
  return [
    ...(secret === undefined ? [] : [`  secret        ${secret}   reads analytics`]),
    ...(write_secret === undefined ? [] : [`  write secret  ${write_secret}   writes metadata`]),
    'Keep them now: only their hashes are stored.',
  ];
}

function siteTable(sites: readonly SiteInfo[]): string[] {
  const rows = sites.map((site) => [
    site.apikey,
    site.timezone,
    site.domains.join(', ') || '-',
    site.created.slice(0, 10),
    lastEvent(site),
    quotaCell(site),
  ]);
  const quotas = rows.some((row) => row.at(-1) !== '') ? ['QUOTAS'] : [];
  const shorten = ['OTHER HOSTS', 'QUOTAS', 'TIME ZONE'];
  return table(['SITE', 'TIME ZONE', 'OTHER HOSTS', 'MADE', 'LAST EVENT', ...quotas], rows, { shorten });
}

/** A time of UTC, beside the zone of the site; or a day, which is the site's. */
function lastEvent({ last_event: last }: SiteInfo): string {
  if (last === undefined) return 'unknown';
  if (last === null) return 'none';
  return last.includes('T') ? `${last.slice(0, 16).replace('T', ' ')} UTC` : last;
}

const rulesOf = (rules: SiteInfo['referrers']) =>
  Object.entries(rules).map(([host, category]) => `${host}=${category}`);

function siteLines(site: SiteInfo): string[] {
  return [
    `site             ${site.apikey}`,
    `time zone        ${site.timezone}`,
    `other hosts      ${site.domains.join(', ') || 'none'}`,
    `referrers        ${rulesOf(site.referrers).join(', ') || 'as the table has them'}`,
    `top lists        ${site.features.top ? 'on' : 'off'}`,
    `recommendations  ${site.features.recommendations ? 'on' : 'off'}`,
    `search           ${site.features.search ? 'on' : 'off'}`,
    `event metadata   ${site.event_metadata ? 'on' : 'off'}`,
    `segment keys     ${site.segment_keys.join(', ') || 'none'}`,
    `webhook          ${site.webhook ?? 'none'}`,
    ...dialLines(site),
    ...quotaLines(site),
    `old secrets      ${site.old_secrets.map(({ kind, until }) => `${kind}, until ${until}`).join('; ') || 'none'}`,
    `made             ${site.created}`,
    `last event       ${lastEvent(site)}`,
  ];
}
