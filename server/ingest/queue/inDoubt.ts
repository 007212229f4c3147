// The error for events whose outcome is unknown: they may be stored or not.
import { OverloadedError } from '../../errors.ts';

/** `settled` resolves when the rows are stored, and rejects when the process ends before that is known. */
export class InDoubtError extends OverloadedError {
  override name = 'InDoubtError';
  readonly settled: Promise<void>;

  constructor(settled: Promise<void>) {
    super('Neither the engine nor the write-ahead log could take the events.');
    this.settled = settled;
  }
}
