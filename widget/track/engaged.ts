// Engaged time: seconds in which the page is visible, focused, and was touched within the last five, or plays a video.
import { host, ofDocument, rare, settle } from '../page.ts';
import { report } from './queue.ts';

const ATTENTION_MS = 5000;
/** Engaged seconds between reports. What is left is reported when the page is hidden or changes. */
const REPORT_SECONDS = 10;

/** Only looks for a video until there is one: then the part that watches them is fetched. */
let watchVideos = (_: typeof report, { length }: NodeListOf<HTMLVideoElement>): boolean => {
  if (length) {
    watchVideos = () => false;
    rare().then((part) => {
      watchVideos = part.watchVideos;
    }, host._report);
  }
  return false;
};
/** Replaces the search for videos, for pages that report theirs themselves. @param watch As in rare/video.ts. */
export function watchInstead(watch: typeof watchVideos): void {
  watchVideos = watch;
}

let attentive = 0;
let seconds = 0;
let total = 0;

export function tellEngagement(): void {
  total += seconds;
  if (seconds) report('heartbeat', { inc: seconds, tt: total });
  seconds = 0;
}

export function measureEngagement(): void {
  const attend = (): void => {
    attentive = Date.now() + ATTENTION_MS;
    settle();
  };
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'scroll']) {
    addEventListener(type, attend, true);
  }
  setInterval(() => {
    const videos = ofDocument('querySelectorAll').call(document, 'video') as NodeListOf<HTMLVideoElement>;
    const attends = watchVideos(report, videos) || Date.now() < attentive;
    if (attends && ofDocument('hasFocus').call(document) && !ofDocument('hidden') && ++seconds >= REPORT_SECONDS)
      tellEngagement();
  }, 1000);
}
