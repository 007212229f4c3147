// Videos that a page reports itself, by the functions of an older installation.
import type { Action } from '../../server/contract/wire.ts';
import { type Details, toDetails, toText } from './details.ts';

/** Watched seconds between reports, as of the videos that are found. */
const REPORT_SECONDS = 10;

interface TrackedVideo {
  hasStartedPlaying: boolean;
  isPlaying: boolean;
  /** Not reported yet. */
  seconds: number;
  details: Details;
}

export interface Videos {
  trackedVideos: Record<string, TrackedVideo>;
  play(id: unknown, metadata?: unknown, url?: unknown): void;
  pause(id: unknown): void;
  /** @param id Default: all. */
  reset(id?: unknown): void;
  /** Called every second. @returns whether one plays. */
  watch(): boolean;
  /** Reports the seconds there are. */
  report(): void;
}

export function createVideos(report: (action: Action, details: Details) => void): Videos {
  // Without a prototype: ids are any text.
  const trackedVideos: Videos['trackedVideos'] = Object.create(null);
  const flush = (video: TrackedVideo): void => {
    if (video.seconds) report('vheartbeat', { ...video.details, inc: video.seconds });
    video.seconds = 0;
  };
  return {
    trackedVideos,
    play(given, metadata, url) {
      const id = toText(given);
      if (!id) return;
      const details = toDetails({ url, metadata });
      // The id comes last: the same video has the same one on every page.
      details.metadata = { ...details.metadata, link: id };
      trackedVideos[id] ||= { hasStartedPlaying: false, isPlaying: false, seconds: 0, details };
      const video = trackedVideos[id];
      video.details = details;
      if (!video.hasStartedPlaying) report('videostart', details);
      video.hasStartedPlaying = video.isPlaying = true;
    },
    pause(id) {
      const video = trackedVideos[toText(id) ?? ''];
      if (!video) return;
      video.isPlaying = false;
      flush(video);
    },
    reset(id) {
      for (const name of id === undefined ? Object.keys(trackedVideos) : [toText(id) ?? '']) {
        if (trackedVideos[name]) flush(trackedVideos[name]);
        delete trackedVideos[name];
      }
    },
    watch() {
      let playing = false;
      for (const video of Object.values(trackedVideos)) {
        if (!video.isPlaying) continue;
        playing = true;
        if (++video.seconds >= REPORT_SECONDS) flush(video);
      }
      return playing;
    },
    report: () => Object.values(trackedVideos).forEach(flush),
  };
}
