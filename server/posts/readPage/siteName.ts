// The site's name in titles: many systems write "Title - Site" into every field that has a title.
import { line } from './clean.ts';

/** What stands between a title and a name, mostly with blanks around; the last three also without. */
const BEFORE_NAME = /(?:\s+[-–—·•»/:|]|\s*[|｜_])\s*$/;
const BEHIND_NAME = /^(?:\s+[-–—·•«/|]\s|\s*[|｜_])\s*/;

/**
 * A title without the site's name at its end or beginning. One that the page itself shows in whole stays.
 * @param of.names What the page calls its site.
 * @param of.headings Each `<h1>` of the page.
 */
export function withoutSiteName(
  title: string,
  { names, headings }: { names: readonly string[]; headings: readonly string[] },
): string {
  if (headings.some((heading) => line(heading)?.includes(title))) return title;
  const lower = title.toLowerCase();
  for (const name of names.map((one) => one.toLowerCase())) {
    // Lower case may have another length: then nothing is cut off.
    if (name === '' || lower.length !== title.length) continue;
    const before = title.slice(0, -name.length);
    if (lower.endsWith(name) && BEFORE_NAME.test(before)) return before.replace(BEFORE_NAME, '') || title;
    const behind = title.slice(name.length);
    if (lower.startsWith(name) && BEHIND_NAME.test(behind)) return behind.replace(BEHIND_NAME, '') || title;
  }
  return title;
}
