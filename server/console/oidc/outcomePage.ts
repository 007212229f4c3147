// Pages of a sign-in by OpenID Connect that did not lead to the console: which site, or what failed and what to do.
import type { Context } from 'hono';
import { escapeHtml } from '../../http/escapeHtml.ts';
import type { Site } from '../../sites/site.ts';
import { headOf, PAGE_HEADERS } from '../page.ts';
import { type SignInTarget, writeTarget } from './attempt.ts';
import type { Trouble } from './provider.ts';

/** Why there is no session. */
export type Refusal = Trouble | 'elsewhere' | 'busy' | 'nothing' | 'otherSite';

/** One site a link: longer lists are no choice any more. */
const MAX_LINKS = 1_000;

interface Sentence {
  status: 403 | 429 | 502 | 503;
  says(provider: string): string;
}

const REFUSALS: Readonly<Record<Refusal, Sentence>> = {
  away: { status: 503, says: (provider) => `${provider} does not answer. Try again in a minute.` },
  denied: { status: 403, says: (provider) => `${provider} did not sign you in, or you cancelled it. Sign in again.` },
  over: {
    status: 403,
    says: () =>
      'This sign-in is over: it was used, took longer than ten minutes, or began in another browser. Sign in again.',
  },
  refused: {
    status: 502,
    says: (provider) =>
      `The answer of ${provider} was refused. Ask your operator: the log of this server has the reason.`,
  },
  elsewhere: { status: 403, says: () => 'A page of another site led here. Sign in below if you want to.' },
  busy: { status: 429, says: () => 'Too many sign-ins from this network failed. Try again in a minute.' },
  nothing: { status: 403, says: () => 'Your account may not open any site here; ask your operator.' },
  otherSite: { status: 403, says: () => 'Your account may not open this site; ask your operator, or choose another.' },
};

/**
 * One sentence on why there is no session, with links to the next attempt and to the console.
 * @param of.target Of the next attempt.
 */
export function refusalPage(
  c: Context,
  refusal: Refusal,
  { name, target }: { name: string; target: SignInTarget },
): Response | Promise<Response> {
  const { status, says } = REFUSALS[refusal];
  return page(
    c,
    status,
    'Not signed in',
    `<p role="status">${escapeHtml(says(name))}</p>
<p><a class="primary" href="${hrefOf(c, target)}">Sign in with ${escapeHtml(name)}</a></p>
<p><a class="plain" href="${rootOf(c)}">Other ways to sign in</a></p>`,
  );
}

/** A list of the sites that an account may open, each of which begins again: the provider signs in at once. */
export function choicePage(c: Context, sites: readonly Site[], search: string): Response | Promise<Response> {
  const listed = sites.slice(0, MAX_LINKS).map(({ id }) => id);
  const links = listed.map((site) => `<li><a href="${hrefOf(c, { site, search })}">${escapeHtml(site)}</a></li>`);
  const more = sites.length - listed.length;
  const rest = more > 0 ? `<p>${more} more: put ?site= and the Site ID behind /console/oidc in the address.</p>` : '';
  return page(c, 200, 'Which site?', `<ul>${links.join('\n')}</ul>${rest}`);
}

const hrefOf = (c: Context, target: SignInTarget): string => escapeHtml(`${rootOf(c)}oidc${writeTarget(target)}`);

/** Relative address of the console's folder: the prefix of a proxy is not known here. */
export const rootOf = (c: Context): string => (new URL(c.req.url).pathname.endsWith('/oidc') ? './' : '../');

const page = (c: Context, status: 200 | Sentence['status'], title: string, body: string) =>
  c.html(
    `${headOf(rootOf(c), title)}
<body><main class="sign-in"><section><h1>${title}</h1>
${body}
</section></main></body></html>
`,
    status,
    PAGE_HEADERS,
  );
