// HTML5 videos: that they start, and how long they are watched. Media events do not bubble, but they can be caught on their way down.
import { report } from './queue.ts';
import { viewed } from './view.ts';

/** Watched seconds between reports; what is left is reported when the video pauses or ends. */
const REPORT_SECONDS = 10;

const watched = new WeakMap<HTMLVideoElement, number>();

function tell(action: 'videostart' | 'vheartbeat', video: HTMLVideoElement, inc?: number): void {
  report(action, viewed, { inc, metadata: { link: video.dataset.url || video.currentSrc, title: video.title } });
}

function tellWatched(video: HTMLVideoElement): void {
  const seconds = watched.get(video);
  if (seconds) tell('vheartbeat', video, seconds);
  watched.set(video, 0);
}

/** Called every second: counts what plays aloud, and says whether anything does. */
export function watchVideos(): boolean {
  let playing = false;
  for (const video of document.querySelectorAll('video')) {
    if (video.paused || video.muted) {
      if (watched.get(video)) tellWatched(video);
    } else {
      playing = true;
      if (!watched.has(video)) tell('videostart', video);
      const seconds = (watched.get(video) || 0) + 1;
      watched.set(video, seconds);
      if (seconds >= REPORT_SECONDS) tellWatched(video);
    }
  }
  return playing;
}
