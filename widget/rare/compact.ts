// The layout without pictures.
import css from './compact.css?inline';

export const dress = (): string => css;
