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
    'url' | 'canonicalLink' | 'patch' | 'sources' | 'scripts' | 'slots' | 'roomStyled' | 'policies' | 'parselyCalls'
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
const OURS = /\/(?:afterword(?:\.one)?\.js|(?:keys\/([^/]+)\/)?p\.js)$/;
/** Files that take the site from their own address, too: `?site=`. */
const IN_ONE = /\/(?:afterword\.one\.js|\d+\.\d+\.\d+[^/]*\/afterword\.js)$/;
const PARSELY = /(?:^|\.)parsely\.com$/i;

export function checkPage(page: PageToCheck, against: CheckedAgainst): Finding[] {
  const [tag, ...others] = findTags(page, against.server);
  return [
    checkTag(tag, page, against),
    ...checkOthers(tag, others),
    ...checkOlder(page.record.parselyCalls, tag === undefined || isOlder(tag) || hasTracker(page)),
    ...checkLists(page.record.slots, tag && isOlder(tag) ? undefined : tag),
    ...checkFirstVisit(page.record.slots, tag, page.record.roomStyled),
    ...(against.server === undefined ? [] : checkPolicies(tag, page, against.server)),
    checkCanonical(tag, page),
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
export const findTag = (page: PageToCheck, server: string | undefined): FoundTag | undefined =>
  findTags(page, server)[0];

/** Those that browsers run come first. */
function findTags({ fetched, record }: PageToCheck, server: string | undefined): FoundTag[] {
  const tags = record.scripts.flatMap((script): FoundTag[] => {
    const url = parseUrl(script.src, fetched);
    const named = url && OURS.exec(url.pathname);
    if (!named || PARSELY.test(url.hostname)) return [];
    const said = IN_ONE.test(url.pathname) ? url.searchParams.get('site') : script.data['parsely-site'];
    const tag = { ...script, site: script.site || said || (named[1] ?? ''), url };
    // Other scripts are called `p.js`, too.
    const isOurs = !isOlder(tag) || tag.site !== '' || (server !== undefined && url.origin === new URL(server).origin);
    return isOurs ? [tag] : [];
  });
  return tags.sort((a, b) => Number(a.inert !== '') - Number(b.inert !== ''));
}

/** A second copy of the widget does nothing: it is the one whose script arrives later. */
function checkOthers(tag: FoundTag | undefined, others: readonly FoundTag[]): Finding[] {
  const other = others.find(
    (one) =>
      one.inert === tag?.inert &&
      (one.site.toLowerCase() !== tag.site.toLowerCase() ||
        one.url.origin !== tag.url.origin ||
        isOlder(one) !== isOlder(tag)),
  );
  if (tag === undefined || other === undefined) return [];
  const [first, second] = [tag, other].map(({ url, site }) => `${url.origin}${url.pathname} for ${site || 'no site'}`);
  return [
    warning(
      'tag',
      `The page loads the widget twice: ${first}, and ${second}. The one that runs first counts, and the other does nothing.`,
      'Leave one of them, as a theme, a plugin or a tag manager may have added the other.',
    ),
  ];
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
  if (!against.knows(named)) {
    const meant = hostIn(named);
    return problem(
      'tag',
      `The tag names the site ${named}, which does not exist here.`,
      against.knows(meant) ? `Write data-site="${meant}".` : `Make it: afterword site add ${meant || '<site-id>'}`,
    );
  }
  if (site !== undefined && named !== site)
    return warning('tag', `The tag names the site ${named}.`, `Was it meant to be ${site}?`);
  if (tag.inert !== '')
    return warning(
      'tag',
      `Browsers do not run the tag as it stands in the HTML (${tag.inert}): there are no lists and no views until a consent manager or an optimizer starts it.`,
      'If one does, all is well. If none is meant to, write the tag as /preview does; with data-consent="required" lists show at once, and the rest waits for consent.',
    );
  return ok('tag', `Loads the widget for ${named}.`);
}

/** A site as people write it, such as an address or a name in typographic quotes, without what is around the host. */
const hostIn = (written: string): string =>
  /^\P{L}*(?:https?:\/\/)?(?:www\.)?([\p{L}\d.:-]*)/u.exec(written)![1]!.replace(/[.:-]+$/, '');

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
        // With it, names of hosts count for nothing.
        policies.some((policy) => policy.toLowerCase().includes("'strict-dynamic'"))
          ? 'Give the tag the nonce of the page, as its other scripts have it.'
          : `${allowing(origin, script, 'script-src')} Or give the tag the nonce of the page.`,
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

/** Metadata may name another address than the link, and the widget reports views by the link. */
function checkCanonical(tag: FoundTag | undefined, { fetched, record }: PageToCheck): Finding {
  const { url, sources, canonicalLink } = record;
  const isFront = ({ pathname, search }: URL): boolean => pathname === '/' && search === '';
  const link = tag?.data.url ? undefined : parseUrl(canonicalLink);
  if (link && isFront(link) && !isFront(new URL(fetched)))
    return problem(
      'canonical URL',
      `The page names the front page, ${canonicalLink}: its views count there, and its lists are those of the front page.`,
      `Write <link rel="canonical" href="${url}">.`,
    );
  if (link && sources.url === 'address')
    return problem(
      'canonical URL',
      `The page names ${canonicalLink}, which is no address of this site: its views are not counted.`,
      `Write <link rel="canonical" href="${url}">, or add that host: afterword site change <site-id> --domain ${link.hostname}`,
    );
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
