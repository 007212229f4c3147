// Environment variables that look like settings and are none: a misspelt one changes nothing, and is easily overlooked.

const PREFIX = 'AFTERWORD_';

/** Of the project's own tests. */
const OF_TESTS = /^AFTERWORD_(?:TEST_|CHROME$|FIREFOX$|SKIP_BROWSER$)/;

/** Kubernetes gives every container of a namespace such variables for a service whose name begins with "afterword". */
const SERVICE_LINK = /_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP))(?:_|$)/;

/** What it puts into `…_PORT`. */
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/** The address of a service "afterword" has the name of a setting, and wins over that of the image. */
export function unsetServiceAddress(env: Record<string, string | undefined>): void {
  if (SERVICE_ADDRESS.test(env.AFTERWORD_PORT ?? '')) delete env.AFTERWORD_PORT;
}

/**
 * Sentences about variables of the environment that no setting reads, with the nearest name of one.
 * @param env The environment.
 * @param known Names that settings read.
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  const isOfService = (name: string) =>
    SERVICE_LINK.test(name) || (name.endsWith('_PORT') && SERVICE_ADDRESS.test(env[name] ?? ''));
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(PREFIX) && !known.includes(name) && !isOfService(name) && !OF_TESTS.test(name),
  );
  return unknown.sort().map((name) => {
    const meant = nearest(name, known);
    const hint = meant === undefined ? 'afterword serve --help names all variables' : `did you mean ${meant}?`;
    return `the environment variable ${name} is no setting, and is ignored; ${hint}`;
  });
}

/** The known name with the fewest differences; undefined where even those are many. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const word = name.slice(PREFIX.length);
  const [best] = known
    .map((other) => ({ other, differences: editDistance(word, other.slice(PREFIX.length)) }))
    .sort((a, b) => a.differences - b.differences);
  if (best === undefined) return undefined;
  const most = Math.max(2, Math.floor((best.other.length - PREFIX.length) / 3));
  return best.differences <= most ? best.other : undefined;
}

/** Levenshtein distance: characters to insert, remove or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
