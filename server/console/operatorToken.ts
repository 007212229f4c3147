// Whether a token is the operator's. The database is asked for its hash at most every few seconds.
import type { Deps } from '../context.ts';
import { verifySecret } from '../sites/secrets.ts';
import { createLookupCache } from './lookupCache.ts';

export interface OperatorTokens {
  /** SHA-256 in hex of the token that is valid now; undefined where none is. */
  hash(): Promise<string | undefined>;
  /** Whether a text is that token, in a time that depends on neither. */
  isCurrent(given: string): Promise<boolean>;
}

export function createOperatorTokens({
  store,
  now,
  clock = now,
}: Pick<Deps, 'store' | 'now' | 'clock'>): OperatorTokens {
  const kept = createLookupCache(() => store.operatorTokens.find(), {
    clock,
    version: () => store.operatorTokens.changes(),
  });
  const hash = async () => (await kept.get('operator'))?.hash;
  return {
    hash,
    isCurrent: async (given) => verifySecret(given, await hash()),
  };
}
