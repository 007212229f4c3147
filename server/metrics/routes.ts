// The name a request's path is counted under: from the closed list of the application's routes, so that no sender can
// add one.

/** What has no route, and no name. */
export const OTHER = '(other)';

/**
 * @param paths Those of all routes, with parameters as `:name`.
 * @returns the name of a request's raw target, with or without a query. Below /v2 it is the first part of the path,
 *   such as `/v2/related`; elsewhere the path itself, as far as it has no parameter, such as `/events` or `/api`; a
 *   path that begins with a parameter is named whole, `/:site/ping_crawl`. Files of the root are `(file)`, everything
 *   else is `(other)`.
 */
export function createRouteNames(paths: readonly string[]): (target: string) => string {
  const exact = new Map<string, string>();
  const ofInterface = new Map<string, string>();
  const folders = new Map<string, string>();
  const whole: { pattern: RegExp; name: string }[] = [];
  for (const path of paths) {
    const [, first = '', second = ''] = path.split('/');
    if (first === 'v2') ofInterface.set(second, `/v2/${second}`);
    else if (first.startsWith(':'))
      whole.push({
        pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
        name: path.replace(':apikey', ':site'),
      });
    else if (path.includes(':')) folders.set(first, `/${first}`);
    // A trailing slash makes no difference.
    else for (const slash of path === '/' ? [''] : ['', '/']) exact.set(path + slash, path);
  }

  return (target) => {
    const query = target.indexOf('?');
    const path = query < 0 ? target : target.slice(0, query);
    const named = exact.get(path);
    if (named !== undefined) return named;
    if (path.startsWith('/v2/')) return ofInterface.get(partAt(path, 4)) ?? OTHER;
    const end = path.indexOf('/', 1);
    const folder = end < 0 ? undefined : folders.get(path.slice(1, end));
    if (folder !== undefined) return folder;
    if (end < 0 && path.endsWith('.js')) return '(file)';
    return whole.find(({ pattern }) => pattern.test(path))?.name ?? OTHER;
  };
}

/** The part of a path that begins at a place. */
function partAt(path: string, start: number): string {
  const end = path.indexOf('/', start);
  return end < 0 ? path.slice(start) : path.slice(start, end);
}
