// What is wrong with a page that should carry the tag: in the order a publisher puts it right. Pure.
import { parseUrl } from '../posts/parseUrl.ts';
import type { PageRecord, ScriptTag } from '../posts/readPage/readPage.ts';
import { checkFirstVisit } from './checkFirstVisit.ts';
import { checkLists } from './checkLists.ts';
import { checkOlder } from './checkOlder.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { refusedBy } from './policy.ts';

export interface PageToCheck {
  /** Where it was read, after redirects. */
  fetched: string;
  record: Pick<
    PageRecord,
    'url' | 'patch' | 'sources' | 'scripts' | 'slots' | 'roomStyled' | 'policies' | 'parselyCalls'
  >;
}

export interface CheckedAgainst {
  /** Site whose page this is; undefined: whichever the tag names. */
  site: string | undefined;
  /** Sites there are on this server. */
  knows(site: string): boolean;
  /** Address readers reach this server at; undefined where that is not known: what depends on it is not looked at. */
  server: string | undefined;
}

/**
 * The loader in any of its deliveries: rolling, one file, frozen under a version, or where older installations look for
 * it.
 */
const OURS = /\/(?:afterword(?:\.one)?\.js|(?:keys\/([^/]+)\/)?p\.js)$/i;
/** Files that take the site from their own address, too: `?site=`. */
const IN_ONE = /\/(?:afterword\.one\.js|\d+\.\d+\.\d+[^/]*\/afterword\.js)$/i;
const PARSELY = /(?:^|\.)parsely\.com$/i;

export function checkPage(page: PageToCheck, against: CheckedAgainst): Finding[] {
  const tag = findTag(page, against.server);
  return [
    checkTag(tag, page, against),
    ...checkOlder(page.record.parselyCalls, tag === undefined || isOlder(tag) || hasTracker(page)),
    ...checkLists(page.record.slots, tag && isOlder(tag) ? undefined : tag),
    ...checkFirstVisit(page.record.slots, tag, page.record.roomStyled),
    ...(against.server === undefined ? [] : checkPolicies(tag, page, against.server)),
    checkCanonical(page),
    ...checkMetadata(page),
  ];
}

/** Pages of an older installation have places for lists of their own. */
const isOlder = ({ url }: FoundTag): boolean => url.pathname.endsWith('/p.js');

export interface FoundTag extends ScriptTag {
  url: URL;
}

/**
 * The script element that loads the widget; undefined where the HTML has none.
 * @param server Address readers reach this server at; undefined where that is not known.
 */
export function findTag({ fetched, record }: PageToCheck, server: string | undefined): FoundTag | undefined {
  for (const script of record.scripts) {
    const url = parseUrl(script.src, fetched);
    const named = url && OURS.exec(url.pathname);
    if (!named || PARSELY.test(url.hostname)) continue;
    const said = IN_ONE.test(url.pathname) ? url.searchParams.get('site') : script.data['parsely-site'];
    const tag = { ...script, site: script.site || said || (named[1] ?? ''), url };
    // Other scripts are called `p.js`, too.
    if (!isOlder(tag) || tag.site !== '' || (server !== undefined && url.origin === new URL(server).origin)) return tag;
  }
  return undefined;
}

/** The vendor's own, which is still to be replaced. */
const hasTracker = ({ fetched, record }: PageToCheck): boolean =>
  record.scripts.some(({ src }) => PARSELY.test(parseUrl(src, fetched)?.hostname ?? ''));

/** What comes from the machine itself is trusted by browsers, encrypted or not. */
const isMixed = (script: URL, page: string): boolean =>
  new URL(page).protocol === 'https:' &&
  script.protocol === 'http:' &&
  !/^(?:localhost|127\.[\d.]+|\[::1\]|.*\.localhost)$/.test(script.hostname);

function checkTag(tag: FoundTag | undefined, { fetched, record }: PageToCheck, against: CheckedAgainst): Finding {
  const { site, server } = against;
  if (tag === undefined) {
    if (hasTracker({ fetched, record }))
      return problem(
        'tag',
        'The page loads its tracker from parsely.com.',
        `Change the host of that script to ${server ?? 'this server'}.`,
      );
    return problem(
      'tag',
      'The page does not load afterword.js in its HTML.',
      'Paste the tag into its head; one that a tag manager adds later is not seen here.',
    );
  }
  if (isMixed(tag.url, fetched))
    return problem(
      'tag',
      'The page is served by https and loads the tag by http: browsers block that.',
      `Write ${tag.url.href.replace('http:', 'https:')}, and give this server a certificate.`,
    );
  if (tag.integrity !== '' && /^\/afterword(?:\.one)?\.js$/.test(tag.url.pathname))
    return warning(
      'tag',
      'The tag pins the hash of a file that changes with each release: browsers will refuse the next one.',
      'Pin the file of one version, as /preview writes it, or leave the hash out.',
    );
  const written = tag.data.server ?? '';
  const address = parseUrl(written);
  if (written !== '' && !address?.protocol.startsWith('http'))
    return problem(
      'tag',
      `The data-server of the tag is no web address, so the widget does not start: ${written}`,
      `Write data-server="${new URL('/', server ?? 'https://stats.example.com').href}", or leave it out.`,
    );
  // A copy of the file, on any host, loads all else from the server that its element names.
  const { origin } = address ?? tag.url;
  if (server !== undefined && origin !== new URL(server).origin)
    return warning(
      'tag',
      `The tag loads from ${origin}, not from ${server}.`,
      'Is that another address of this server?',
    );
  const named = tag.site.toLowerCase();
  if (named === '' && isOlder(tag))
    return ok('tag', 'Loads p.js; its site is what PARSELY.apikey names, or else the host of the page.');
  if (named === '') return problem('tag', 'The tag names no site.', `Add data-site="${site ?? '<site-id>'}" to it.`);
  if (!against.knows(named))
    return problem(
      'tag',
      `The tag names the site ${named}, which does not exist here.`,
      `Make it: afterword site add ${named}`,
    );
  if (site !== undefined && named !== site)
    return warning('tag', `The tag names the site ${named}.`, `Was it meant to be ${site}?`);
  return ok('tag', `Loads the widget for ${named}.`);
}

function checkPolicies(tag: FoundTag | undefined, { fetched, record }: PageToCheck, server: string): Finding[] {
  const { policies } = record;
  if (policies.length === 0) return [ok('security policy', 'The page has none.')];
  const page = new URL(fetched);
  const { origin } = new URL(server);
  const { url = new URL('/afterword.js', server), nonce = '', integrity = '' } = tag ?? {};
  // The loader fetches its parts from the server; a hash of the loader covers none of them.
  const isWhole = IN_ONE.test(url.pathname) || (tag !== undefined && isOlder(tag)) || integrity !== '';
  const parts = isWhole ? url : new URL('/page.js', server);
  const script =
    refusedBy(policies, 'script', { url, page, nonce, integrity }) ??
    refusedBy(policies, 'script', { url: parts, page, nonce, integrity });
  const connect = refusedBy(policies, 'connect', { url: new URL('/events', server), page });
  const found: Finding[] = [];
  if (script !== undefined)
    found.push(
      problem(
        'security policy',
        `Its ${script} refuses our script.`,
        `${allowing(origin, script, 'script-src')} Or give the tag the nonce of the page.`,
      ),
    );
  if (connect !== undefined) {
    const says = `Its ${connect} refuses connections to this server`;
    const remedy = allowing(origin, connect, 'connect-src');
    const pixel = refusedBy(policies, 'image', { url: new URL('/plogger/', server), page });
    found.push(
      pixel === undefined
        ? warning('security policy', `${says}: lists come as JSON-P, and views are reported by pictures.`, remedy)
        : problem(
            'security policy',
            `${says}, and its ${pixel} the pictures that would report instead: no view is counted.`,
            remedy,
          ),
    );
  }
  const image = refusedBy(policies, 'image', { url: new URL('/thumb/', server), page });
  if (image !== undefined)
    found.push(
      warning(
        'security policy',
        `Its ${image} refuses pictures of this server: lists show no thumbnails.`,
        `${allowing(origin, image, 'img-src')} Or run the server with --thumbnails off.`,
      ),
    );
  return found.length > 0 ? found : [ok('security policy', 'Allows our script, its connections and thumbnails.')];
}

/** What `default-src` allows is allowed to everything: not the place for one more host. */
const allowing = (origin: string, refusing: string, directive: string): string =>
  refusing === 'default-src'
    ? `Give it ${directive === 'img-src' ? 'an' : 'a'} ${directive} of its own: what default-src allows, and ${origin}.`
    : `Add ${origin} to ${refusing}.`;

function checkCanonical({ fetched, record }: PageToCheck): Finding {
  const { url, sources } = record;
  if (sources.url === 'address')
    return warning(
      'canonical URL',
      'The page names none: every spelling of its address may count as another page.',
      `Add <link rel="canonical" href="${url}">.`,
    );
  const same = url === fetched ? 'its own address' : url;
  return ok('canonical URL', `Names ${same}.`);
}

/** What the lists show of a post. */
const SHOWN = [
  ['title', 'title', 'a headline'],
  ['pubDate', 'publication date', 'datePublished'],
  ['imageUrl', 'picture', 'an image'],
  ['section', 'section', 'articleSection'],
  ['authors', 'authors', 'an author'],
] as const;

function checkMetadata({ record: { patch, sources } }: PageToCheck): Finding[] {
  if (patch.pageType !== 'post')
    return [
      warning(
        'metadata',
        `The page reads as "${patch.pageType}", not as a post: it is counted, but in no list of posts.`,
        'For an article, add JSON-LD of type NewsArticle, or give the address of one.',
      ),
    ];
  const missing = SHOWN.filter(([field]) => sources[field] === undefined);
  if (missing.length === 0)
    return [ok('metadata', `A post, complete (${[...new Set(SHOWN.map(([field]) => sources[field]))].join(', ')}).`)];
  return missing.map(([, name, how]) =>
    warning('metadata', `The page says no ${name}.`, `Add ${how} to its JSON-LD, or the tag of the same meaning.`),
  );
}
