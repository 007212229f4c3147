// Engaged time: seconds in which the page is visible, focused, and was touched within the last five, or plays a video.
import { host, ofDocument, rare, settle } from '../page.ts';
import { report } from './queue.ts';

/**
 * Half a second more: the first tick comes a second after the first movement, so that as many are counted, on average,
 * as there were.
 */
const ATTENTION_MS = 5500;
/** Engaged seconds between reports. What is left is reported when the page is hidden or changes. */
const REPORT_SECONDS = 10;

let ticking: ReturnType<typeof setInterval> | undefined;
/** The page has or had a video: it may play at any time. */
let hasVideo = false;

/** As in rare/video.ts, which is fetched when there is a video. */
let watchVideos: ((send: typeof report, videos: Iterable<HTMLVideoElement>) => boolean) | undefined;

/** Replaces the search for videos, for pages that report theirs themselves. */
export function watchInstead(watch: typeof watchVideos): void {
  watchVideos = watch;
  hasVideo = true;
  wake();
}

let attentive = 0;
let seconds = 0;
let total = 0;

/** Reports the seconds since the report before, and what was seen of lists. */
export function reportReading(isNewView?: boolean): void {
  total += seconds;
  if (seconds) report('heartbeat', { inc: seconds, tt: total });
  seconds = 0;
  host._look?.(isNewView);
}

/** Counts a second, and sleeps when the reader has stopped moving and the page has no video. */
function tick(): void {
  const videos = ofDocument('querySelectorAll').call(document, 'video') as NodeListOf<HTMLVideoElement>;
  if (videos[0] && !hasVideo) {
    hasVideo = true;
    rare().then((part) => {
      watchVideos = part.watchVideos;
    }, host._report);
  }
  const attends = watchVideos?.(report, videos) || Date.now() < attentive;
  if (attends && ofDocument('hasFocus').call(document) && !ofDocument('hidden') && ++seconds >= REPORT_SECONDS)
    reportReading();
  if (attends || hasVideo) wake();
  else {
    clearInterval(ticking);
    ticking = undefined;
  }
}

function wake(): void {
  ticking ||= setInterval(tick, 1000);
}

export function measureEngagement(): void {
  const attend = (): void => {
    attentive = Date.now() + ATTENTION_MS;
    settle();
    wake();
  };
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'scroll']) addEventListener(type, attend, true);
  addEventListener('play', wake, true);
  tick();
}
