// What the endpoints of the console share.
import type { Deps } from '../context.ts';
import type { Parts } from '../http/endpoint.ts';
import { createRateLimit } from '../ingest/rateLimit.ts';
import { createProvider } from './oidc/provider.ts';
import { SIGN_INS } from './session.ts';
import { createSessions } from './sessions.ts';
import { createShares } from './shares.ts';
import { createSiteOverview } from './siteOverview.ts';

type ConsoleParts = Pick<Parts, 'sessions' | 'shares' | 'overview' | 'signIns' | 'provider'>;

export function createConsoleParts(deps: Deps): ConsoleParts {
  const { now, clock = now, settings } = deps;
  const { oidc } = settings;
  return {
    sessions: createSessions(deps, oidc?.grants),
    shares: createShares(deps, oidc?.grants),
    overview: createSiteOverview(deps),
    signIns: createRateLimit(SIGN_INS),
    ...(oidc && { provider: createProvider(oidc, { clock }) }),
  };
}
