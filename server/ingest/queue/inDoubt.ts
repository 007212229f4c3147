// The error for events of which it is not known yet whether they are stored.
import { OverloadedError } from '../../errors.ts';

/** The rows may be stored or not. `settled` resolves when they are, and rejects when that will not be known any more. */
export class InDoubtError extends OverloadedError {
  override name = 'InDoubtError';
  readonly settled: Promise<void>;

  constructor(settled: Promise<void>) {
    super('Neither the engine nor the journal could take the events.');
    this.settled = settled;
  }
}
