// Lists of videos: a play mark on each picture.
import type { Settings } from '../host.ts';
import css from './videos.css?inline';

/** @returns styles: none for related posts, which `data-type` of the tag makes no videos. */
const playMarks = ({ afterword }: Settings): string => (afterword === 'top' ? css : '');

export { playMarks as run };
