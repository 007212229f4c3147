// Headers that clients of ours send.

/** The site that a request is about, for callers with several sites: an assistant, or the operator in the console. */
export const SITE_HEADER = 'Afterword-Site';

/** The token of a session of the console. */
export const TOKEN_HEADER = 'Afterword-Token';
