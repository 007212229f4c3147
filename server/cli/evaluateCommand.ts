// `afterword evaluate`: how well related posts are found on an operator's own articles, and what is read next on a log
// of their own, beside simple rankings.
import { type Command, Option } from 'commander';
import { CommandError } from './commandError.ts';
import { dataCommand } from './dataCommand.ts';
import type { EvaluateFlags } from './evaluate/runEvaluate.ts';
import { FORMATS } from './transfer/format.ts';
import { viewColumnOptions } from './viewColumnOptions.ts';

export function evaluateCommand(program: Command): void {
  const command = dataCommand(program, 'evaluate', 'measure how well related posts are found, or what is read next')
    .description(
      'Ranks articles with this engine and with simple rankings, and prints how well each finds what belongs together (--posts and --related) or what is read next (--log). Of a site, or a log with --posts, it prints what each setting of the mix dial gives, and recommends one. Changes nothing.',
    )
    .argument('[site-id]', 'take the posts and stored views of this site')
    .option('--posts <file>', 'articles, one JSON object a line (.gz too)')
    .option('--related <file>', 'what belongs together, one {"q": id, "rel": {id: 1, …}} a line (.gz too)')
    .option('--log <file>', 'page views (time, visitor or session, page), CSV, TSV or NDJSON (.gz too)')
    .option('--picture <file.svg>', 'draw the settings of the mix dial, as an SVG in light and dark')
    .addOption(new Option('--format <format>', 'what the log holds, when its name does not say it').choices(FORMATS));
  for (const option of viewColumnOptions()) command.addOption(option);
  command.action(async (site: string | undefined, flags: EvaluateFlags) => {
    // Loaded only here: no other command ranks in its own process.
    const { runEvaluate } = await import('./evaluate/runEvaluate.ts');
    if (site === undefined) return await runEvaluate(flags);
    if (flags.posts !== undefined || flags.log !== undefined)
      throw new CommandError(
        'A Site ID takes the posts and views of the site: leave --posts and --log out, or the Site ID.',
        2,
      );
    const { evaluateSite } = await import('./evaluate/evaluateSite.ts');
    await evaluateSite(site.toLowerCase(), flags);
  });
}
