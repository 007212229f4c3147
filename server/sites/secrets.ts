// Making and checking the secrets of a site. Only hashes are stored: a secret is shown once, when it is made.
import { createHash, randomInt } from 'node:crypto';
import { WRITE_SECRET_LENGTH } from '../contract/limits.ts';
import { isTimingSafeEqual } from '../timingSafe.ts';
import type { SecretKind, Site } from './site.ts';

/** Letters and digits only: safe in a URL, and selected whole by a double click. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const READ_SECRET_LENGTH = 43;

/** Compared against where there is no site, so that an unknown site takes as long as a wrong secret. */
const HASH_OF_NONE = hashSecret(randomText(READ_SECRET_LENGTH));

/** Secret for reading analytics: 43 letters and digits, 256 bits of chance. */
export function createReadSecret(): string {
  return randomText(READ_SECRET_LENGTH);
}

/** Secret for writing metadata: exactly 10 letters and digits, the only length the WordPress plugin accepts. */
export function createWriteSecret(): string {
  return randomText(WRITE_SECRET_LENGTH);
}

/** SHA-256 in hex: what is stored. The secrets are random, so no slow hash is needed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/**
 * Whether a secret is the one behind a hash, in a time that depends on neither.
 * @param given What the request carries; undefined or "" never passes.
 * @param hash The site's `secretHash` or `writeSecretHash`; undefined for an unknown site: the same work, always false.
 */
export function verifySecret(given: string | undefined, hash: string | undefined): boolean {
  const equal = isTimingSafeEqual(hashSecret(given ?? ''), hash ?? HASH_OF_NONE);
  return equal && hash !== undefined && given !== undefined && given !== '';
}

/** Whose secret it is, and the time of the request. */
export interface SecretOf {
  /** undefined for an unknown site: no secret is valid. */
  site: Pick<Site, 'secretHash' | 'writeSecretHash' | 'retiring'> | undefined;
  kind: SecretKind;
  /** Epoch milliseconds. */
  now: number;
}

/** Whether a secret is valid: the one that is set, or an earlier one that has not ended. */
export function isValidSecret(given: string | undefined, { site, kind, now }: SecretOf): boolean {
  const current = verifySecret(given, kind === 'read' ? site?.secretHash : site?.writeSecretHash);
  const earlier = (site?.retiring ?? []).filter((secret) => secret.kind === kind && now < secret.until);
  return earlier.map(({ hash }) => verifySecret(given, hash)).includes(true) || current;
}

/** Whether the secret behind a hash is still valid: false once it was replaced, and any overlap is over. */
export function isValidHash(hash: string, { site, kind, now }: SecretOf): boolean {
  const current = kind === 'read' ? site?.secretHash : site?.writeSecretHash;
  const retiring = (site?.retiring ?? []).filter((secret) => secret.kind === kind && now < secret.until);
  return [current, ...retiring.map((secret) => secret.hash)].includes(hash);
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
