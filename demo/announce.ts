// What the demo says when it is ready: what to open, and what to ask.
import { asWord } from '../server/cli/output.ts';

export interface Announcement {
  origin: string;
  afterword: string;
  site: string;
  /** Known at the first start only. */
  secret: string | undefined;
  /** Data folder of the server. */
  data: string;
}

export function announce({ origin, afterword, site, secret, data }: Announcement): void {
  const shown = secret ?? '<secret>';
  const lines = [
    '',
    `  Open the newspaper     ${origin}/`,
    `  What Afterword knows   ${origin}/_behind`,
    `  The console            ${origin}/_console   (signs you in)`,
    `  The operator’s pages   ${afterword}/console   (ask for a token)`,
    `  Try the lists          ${afterword}/preview?site=${site}`,
    `  The reference          ${afterword}/docs`,
    '',
    `  Site ID   ${site}`,
    `  Secret    ${secret ?? 'shown at the first start'}`,
    ...(secret === undefined ? [] : ['            (shown only now; it reads analytics)']),
    '',
    // Commands have lines of their own, which can be copied where a terminal is narrow.
    '  Ask for the operator’s token:',
    `    npx afterword operator token --data ${asWord(data)}`,
    ...(secret === undefined
      ? ['  Make a new secret:', `    npx afterword site rotate-secret ${site} --data ${asWord(data)}`]
      : []),
    '',
    '  Ask it something:',
    `    curl '${afterword}/v2/top/posts?apikey=${site}&limit=10'`,
    `    curl '${afterword}/v2/analytics/posts?apikey=${site}&secret=${shown}&period_start=7d&limit=5'`,
    '',
    '  Ctrl+C stops both.',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
