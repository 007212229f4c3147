// The rules of editors that apply to a related list of a request.
import type { Deps } from '../context.ts';
import { withDeadline } from '../deadline.ts';
import { StoreUnavailableError } from '../errors.ts';
import { type AppliedRules, appliedRules, dependOnPage, rulesAt, setFor } from '../rules/rulesInForce.ts';
import type { Site } from '../sites/site.ts';

/** Maximum wait for the section and the tags of the page, in milliseconds. */
const PATIENCE_MS = 1_000;

interface RelatedList {
  /** Name of the set in the request. Default: the one that always applies. */
  rules?: string | undefined;
  /** Of the page on which the list stands. */
  url?: string | undefined;
}

/** @returns undefined where no rule applies. */
export async function rulesForList(
  { library }: Pick<Deps, 'library'>,
  site: Site,
  { rules: named, url, now }: RelatedList & { now: number },
): Promise<AppliedRules | undefined> {
  const set = setFor(site.rules, named);
  const rules = set ? rulesAt(set, now) : [];
  if (rules.length === 0) return undefined;
  return appliedRules(url !== undefined && dependOnPage(rules) ? await pageAt(library, site, url) : undefined, rules);
}

/** Undefined for a page that is not known, and while the database does not say. */
async function pageAt(library: Deps['library'], { id }: Site, url: string) {
  const asked = library.resolve(id, url).then((canonical) => library.cards(id, [canonical]));
  try {
    const [page] = (await withDeadline(asked, PATIENCE_MS, () => undefined)) ?? [];
    return page;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return undefined;
    throw error;
  }
}
