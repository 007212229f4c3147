// The OpenID Connect provider: authorization code with PKCE, state and nonce, through openid-client. It is discovered
// when it is first needed, so that a provider that is away does not stop the server.
import type { Configuration, ServerMetadata } from 'openid-client';
import { HOUR } from '../../durations.ts';
import type { Claims, Grant } from './grants.ts';

/** What the operator configures. */
export interface OidcSettings {
  issuer: URL;
  clientId: string;
  /** undefined: a public client, which PKCE alone protects. */
  clientSecret: string | undefined;
  /** As readers know the provider. */
  name: string;
  scope: string;
  /** Of this server, as it is registered at the provider: below the folder of the console. */
  redirectUri: URL;
  grants: readonly Grant[];
}

/** What the answer of the provider is compared with. */
export interface Checks {
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
}

/**
 * Why there are no claims: the provider does not answer; the reader, or the provider, said no; the code was used or is
 * too old; the answer was not what it has to be.
 */
export type Trouble = 'away' | 'denied' | 'over' | 'refused';

/** A sign-in that failed. Its message and its cause have neither codes nor tokens nor claims. */
export class SignInError extends Error {
  override name = 'SignInError';
  readonly trouble: Trouble;
  /** Words of the library and of the protocol, for the log. */
  readonly reason: string;

  constructor(trouble: Trouble, reason: string) {
    super(`The sign-in failed: ${trouble}`);
    this.trouble = trouble;
    this.reason = reason;
  }
}

export interface Provider {
  /**
   * Where a browser begins, and what its answer will be compared with.
   * @throws {SignInError}
   */
  begin(): Promise<{ location: string; checks: Checks }>;
  /**
   * The claims of the account, once its code is exchanged and all checks have passed.
   * @param search Query of the address that the provider sent the browser to.
   * @throws {SignInError}
   */
  finish(search: string, checks: Checks): Promise<Claims>;
}

/** Providers change their endpoints rarely. */
const KEPT_MS = HOUR;
/** One that is away is asked again after this. */
const AWAY_MS = 5_000;
const TIMEOUT_S = 10;

/** Claim that says whether the address of the claim `email` is verified. */
const VERIFIED = 'email_verified';

const load = () => import('openid-client');
type Library = Awaited<ReturnType<typeof load>>;

/** @param of.clock Monotonic milliseconds. */
export function createProvider(settings: OidcSettings, { clock }: { clock(): number }): Provider {
  let known: { until: number; config: Promise<Configuration> } | undefined;

  function configuration(library: Library): Promise<Configuration> {
    if (known !== undefined && clock() < known.until) return known.config;
    const entry = { until: clock() + KEPT_MS, config: discover(library, settings) };
    entry.config.catch(() => {
      entry.until = clock() + AWAY_MS;
    });
    known = entry;
    return entry.config;
  }

  return {
    begin: () =>
      attempt(async (library) => {
        const config = await configuration(library);
        const checks = {
          state: library.randomState(),
          nonce: library.randomNonce(),
          verifier: library.randomPKCECodeVerifier(),
        };
        const location = library.buildAuthorizationUrl(config, {
          redirect_uri: settings.redirectUri.href,
          scope: settings.scope,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
        });
        return { location: location.href, checks };
      }),

    finish: (search, { state, nonce, verifier }) =>
      attempt(async (library) => {
        const config = await configuration(library);
        const tokens = await library.authorizationCodeGrant(config, new URL(search, settings.redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new SignInError('refused', 'there is no ID token');
        const wanted = settings.grants.flatMap(({ claim }) => (claim === 'email' ? [claim, VERIFIED] : [claim]));
        const lacks = wanted.some((claim) => !Object.hasOwn(claims, claim));
        if (!lacks || config.serverMetadata().userinfo_endpoint === undefined) return claims;
        // Some providers have an account's address and its groups there alone.
        return completed(claims, await library.fetchUserInfo(config, tokens.access_token, claims.sub));
      }),
  };
}

/** The claims of an ID token, with what it lacks of those of the UserInfo endpoint. */
function completed({ email, [VERIFIED]: isVerified, ...claims }: Claims, userInfo: Claims): Claims {
  // An address is verified where the very answer that has it says so.
  const isWhole = email !== undefined && isVerified !== undefined;
  return { ...userInfo, ...claims, ...(isWhole && { email, [VERIFIED]: isVerified }) };
}

async function discover(library: Library, { issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const { enableNonRepudiationChecks, allowInsecureRequests } = library;
  return await library.discovery(issuer, clientId, undefined, authOf(library, clientSecret), {
    // ID tokens come by TLS from the provider itself. Their signatures are verified as well.
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
    timeout: TIMEOUT_S,
  });
}

/** A secret goes into a header, the default of registrations, or into the body where the provider takes no header. */
function authOf({ None, ClientSecretBasic, ClientSecretPost }: Library, secret: string | undefined) {
  if (secret === undefined) return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (...of: Parameters<typeof basic>) => (takesHeader(of[0]) ? basic(...of) : post(...of));
}

const takesHeader = ({ token_endpoint_auth_methods_supported: methods }: ServerMetadata): boolean =>
  methods === undefined || methods.includes('client_secret_basic');

async function attempt<T>(work: (library: Library) => Promise<T>): Promise<T> {
  const library = await load();
  try {
    return await work(library);
  } catch (error) {
    throw toSignInError(error, library);
  }
}

function toSignInError(error: unknown, library: Library): unknown {
  const { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError, ClientError } = library;
  if (error instanceof AuthorizationResponseError)
    return new SignInError(error.error === 'access_denied' ? 'denied' : 'refused', wordOf(error.error));
  if (error instanceof ResponseBodyError)
    return new SignInError(error.error === 'invalid_grant' ? 'over' : 'refused', wordOf(error.error));
  if (error instanceof WWWAuthenticateChallengeError)
    return new SignInError('refused', `status ${error.status}: client_id, its secret or an access token was not taken`);
  if (isOfNetwork(error)) return new SignInError('away', wordOf(codeOf(error)));
  if (!(error instanceof ClientError)) return error;
  const { cause, code } = error;
  const isAway = code === 'OAUTH_TIMEOUT' || isOfNetwork(cause) || (cause instanceof Response && cause.status >= 500);
  // The library below says which check failed. Its messages name fields and have no values.
  const { message } = cause instanceof Error && cause.name === 'OperationProcessingError' ? cause : error;
  return new SignInError(isAway ? 'away' : 'refused', `${wordOf(code ?? codeOf(cause))}: ${message}`);
}

/** `fetch` throws a TypeError whose cause has the code of the system. */
const isOfNetwork = (error: unknown): boolean => error instanceof TypeError && codeOf(error) !== undefined;

function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
}

/** Words of the provider are bounded before they are logged. */
const wordOf = (text: string | undefined): string => (/^[\w.-]{1,60}$/.test(text ?? '') ? (text ?? '') : 'unknown');
