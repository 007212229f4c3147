// HTML5 videos: that they start, and how long they are watched. Media events do not bubble, but they can be caught on
// their way down.
import type { report } from '../track/queue.ts';

/** Watched seconds between reports; what is left is reported when the video pauses or ends. */
const REPORT_SECONDS = 10;

const watched = new WeakMap<HTMLVideoElement, number>();

/** Called every second: counts what plays aloud, and says whether anything does. */
export function watchVideos(send: typeof report, videos: Iterable<HTMLVideoElement>): boolean {
  let playing = false;
  for (const video of videos) {
    const metadata = { link: video.dataset.url || video.currentSrc, title: video.title };
    const known = watched.get(video);
    const plays = !video.paused && !video.muted;
    let seconds = (known || 0) + +plays;
    playing ||= plays;
    if (plays && known === undefined) send('videostart', { metadata });
    if (seconds && (!plays || seconds >= REPORT_SECONDS)) {
      send('vheartbeat', { inc: seconds, metadata });
      seconds = 0;
    }
    if (plays || known) watched.set(video, seconds);
  }
  return playing;
}
