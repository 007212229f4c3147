// Links that unsubscribe a recipient: signed, so that only this server makes them, and
// answers to other links do not say who is a recipient.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { SiteId } from '../sites/site.ts';
import type { KeyStore } from '../storage/keys.ts';
import { isTimingSafeEqual } from '../timingSafe.ts';

export const UNSUBSCRIBE_PATH = '/unsubscribe';

export interface Unsubscribing {
  /** Path and query. The query is in no log. */
  linkFor(site: SiteId, recipient: string): Promise<string>;
  isSigned(site: SiteId, recipient: string, signature: string): Promise<boolean>;
}

/** @param keys The key is agreed on when it is first needed: a server may start while its database is away. */
export function createUnsubscribing(keys: KeyStore): Unsubscribing {
  let known: KeyObject | undefined;

  async function sign(site: SiteId, recipient: string): Promise<string> {
    known ??= createSecretKey(await keys.agree('unsubscribe', randomBytes(32).toString('hex')), 'hex');
    return createHmac('sha256', known).update(`${site}\n${recipient}`).digest('base64url');
  }

  return {
    async linkFor(site, recipient) {
      const query = new URLSearchParams({ site, recipient, signature: await sign(site, recipient) });
      return `${UNSUBSCRIBE_PATH}?${query}`;
    },
    async isSigned(site, recipient, signature) {
      return isTimingSafeEqual(signature, await sign(site, recipient));
    },
  };
}
