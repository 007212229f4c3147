// What a partner is: a company that makes sites for its customers, through the interface and with a secret of its own.

export interface Partner {
  /** Lower case. */
  name: string;
  /** SHA-256 in hex. */
  secretHash: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

const PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/**
 * Reads a partner's name: case does not matter.
 * @returns undefined when it is not made of letters, digits and hyphens, at most 64.
 */
export function parsePartnerName(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return PATTERN.test(name) ? name : undefined;
}
