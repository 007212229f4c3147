// Raised by storage when the engine refuses the rows themselves: repeating the insert does not help.

export class UnwritableRowsError extends Error {
  override name = 'UnwritableRowsError';
}
