// Why `fetch` has failed: it says "fetch failed", and what the system said is in the cause.

/** @returns A sentence without its full stop. */
export function fetchFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // Where each address of a name was refused, the cause has a code alone.
  return cause.message || ('code' in cause ? String(cause.code) : error.message);
}
