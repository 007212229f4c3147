// The error of a batch that is beyond a limit, and which limit it was.

/** Why a whole batch was refused: its sender's rate, its site's rate, its site's quota of the day, its length. */
export type Refusal =
  | { reason: 'rate-limited' | 'site-rate-limited'; site: string; waitMs: number }
  | { reason: 'over-events-quota'; site: string; limit: number; waitMs: number }
  | { reason: 'too-many-events'; limit: number };

/** Raised where a batch is more than a limit allows. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`Refused: ${refusal.reason}`);
    this.refusal = refusal;
  }
}
