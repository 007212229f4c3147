// `afterword evaluate`: how well related posts are found on an operator's own articles, and what is read next on a log
// of their own, beside simple rankings.
import { type Command, Option } from 'commander';
import type { EvaluateFlags } from './evaluate/runEvaluate.ts';

export function evaluateCommand(program: Command): void {
  program
    .command('evaluate')
    .summary('measure how well related posts are found, or what is read next')
    .description(
      'Reads articles and which of them belong together, ranks each with this engine and with simple rankings, and prints how well each finds what belongs.',
    )
    .option('--posts <file>', 'articles, one JSON object a line (.gz too)')
    .option('--related <file>', 'what belongs together, one {"q": id, "rel": {id: 1, …}} a line (.gz too)')
    .option(
      '--log <file>',
      'instead: page views (time, visitor, post), CSV or NDJSON; says how well the next read is foretold',
    )
    .option('--json', 'print JSON')
    .addOption(new Option('--data <folder>', 'taken as by every command; this one reads the named files only'))
    .action(async (flags: EvaluateFlags) => {
      // Loaded only here: no other command ranks in its own process.
      const { runEvaluate } = await import('./evaluate/runEvaluate.ts');
      await runEvaluate(flags);
    });
}
