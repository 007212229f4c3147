// Raised by storage when it is the rows themselves that the engine will never take: repeating does not help.

export class UnwritableRowsError extends Error {
  override name = 'UnwritableRowsError';
}
