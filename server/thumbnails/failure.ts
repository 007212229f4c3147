// Why a thumbnail was not made. A closed union: each is counted, and decides how long the picture is left alone.
import { type Failure as FetchFailure, mayPass } from '../crawl/failure.ts';
import { MINUTE } from '../durations.ts';

/** `ended`: the process that makes them ended meanwhile, by another picture's fault. */
export type ThumbnailFailure = FetchFailure | 'too-large' | 'no-picture' | 'ended';

/** Milliseconds a picture is not fetched again after a failure. */
export function negativeTtlOf(failure: ThumbnailFailure): number {
  if (failure === 'ended') return 0;
  if (failure === 'too-large' || failure === 'no-picture') return LASTING_MS;
  return mayPass(failure) ? PASSING_MS : LASTING_MS;
}

/** Longer than the pages of one reader are open, shorter than an outage. */
const PASSING_MS = 5 * MINUTE;
/** A picture that is none, or is too large, is replaced within hours at the soonest. */
const LASTING_MS = 60 * MINUTE;
