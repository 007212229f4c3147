// Lists of videos: a play mark on each picture.
import css from './videos.css?inline';

/** @returns styles. */
const playMarks = (): string => css;

export { playMarks as run };
