// Lists of videos: a play mark on each picture.
import css from './videos.css?inline';

export const dress = (): string => css;
