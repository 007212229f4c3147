// Paths of the admin application that are about one site.

/**
 * @param id As the person wrote it; the admin application says what is wrong with it.
 * @param rest Below the site, beginning with a slash; its own parts are encoded already. Default: the site itself.
 */
export const sitePath = (id: string, rest = ''): string => `/sites/${encodeURIComponent(id)}${rest}`;
