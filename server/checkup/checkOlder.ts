// What a page with an older installation calls below `PARSELY`, beside what `p.js` has. Pure.
import { PARSELY_SURFACE, type ParselyMember } from '../contract/parselySurface.ts';
import { type Finding, ok, warning } from './finding.ts';

const ABOUT = 'older installation';

/**
 * @param calls Names without `PARSELY.`.
 * @param loaded Whether the page loads `p.js`, or may: a script can add it.
 */
export function checkOlder(calls: readonly string[], loaded: boolean): Finding[] {
  if (calls.length === 0) return [];
  const named = (names: readonly string[]) => names.map((name) => `PARSELY.${name}`).join(', ');
  if (!loaded)
    return [
      warning(
        ABOUT,
        `The page calls ${named(calls)}, and loads no script that has it.`,
        'Load /keys/<site-id>/p.js instead of afterword.js, or take the calls out.',
      ),
    ];
  const missing = calls.filter((name) => memberOf(name) === undefined);
  const ignored = calls.filter((name) => memberOf(name)?.kind === 'ignored');
  const found = ignored.map((name) =>
    warning(ABOUT, `The page calls ${named([name])}, which does nothing here.`, `${memberOf(name)!.says}.`),
  );
  if (missing.length > 0)
    found.unshift(
      warning(
        ABOUT,
        `The page calls ${named(missing)}, which p.js does not have.`,
        'Take the call out, or put it behind a check that the function is there: it would stop the script it stands in.',
      ),
    );
  return found.length > 0 ? found : [ok(ABOUT, `p.js has all that the page calls: ${named(calls)}.`)];
}

/** The member of that name; or the value whose method is called, as in `config.apikey.replace(`. */
function memberOf(name: string): ParselyMember | undefined {
  const members: Readonly<Record<string, ParselyMember>> = PARSELY_SURFACE;
  if (Object.hasOwn(members, name)) return members[name];
  const value = Object.keys(members).find((known) => name.startsWith(`${known}.`));
  return value !== undefined && members[value]!.kind === 'value' ? members[value] : undefined;
}
