// `afterword headline …`: titles and pictures of a post that are compared in lists.
import { Command } from 'commander';
import { type HeadlineRecord, MOST_ALTERNATIVES } from '../contract/alternatives.ts';
import { inDigits } from '../counted.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { table } from './table.ts';

type AddFlags = DataFlags & { title: string[]; image: string[] };

export function headlineCommand(): Command {
  const headline = new Command('headline')
    .summary('compare titles and pictures of a post in lists')
    .description(
      'Alternative titles and pictures of a post: each is shown to a share of the readers of lists, until one has won. ' +
        'These commands work while the server runs, and when it does not.',
    );

  dataCommand(headline, 'add', 'compare titles or pictures with those of a post')
    .argument('<site-id>')
    .argument('<url>', 'the post, by any address of it')
    .option('--title <text>', `another title; repeat it for each, at most ${MOST_ALTERNATIVES} in all`, append, [])
    .option('--image <url>', 'another picture; repeat it for each', append, [])
    .action(async (id: string, url: string, { title, image, ...flags }: AddFlags) => {
      const alternatives = [
        ...title.map((text) => ({ title: text })),
        ...image.map((address) => ({ image_url: address })),
      ];
      if (alternatives.length === 0) throw new CommandError('Give a --title or an --image to compare.', 2);
      const made = await withReach(flags, (reach) =>
        reach.ask<HeadlineRecord>('POST', pathOf(id), { url, alternatives }),
      );
      print(flags, made, () => linesOf(made));
    });

  dataCommand(headline, 'list', 'list what is compared, and what has won')
    .argument('<site-id>')
    .action(async (id: string, flags: DataFlags) => {
      const all = await withReach(flags, (reach) => reach.ask<HeadlineRecord[]>('GET', pathOf(id)));
      print(flags, all, () => (all.length === 0 ? ['Nothing is compared.'] : all.flatMap(linesOf)));
    });

  dataCommand(headline, 'show', 'say what readers did with each title and picture of a post')
    .argument('<site-id>')
    .argument('<url>', 'the post, by any address of it')
    .action(async (id: string, url: string, flags: DataFlags) => {
      const path = `${pathOf(id)}?url=${encodeURIComponent(url)}`;
      const found = await withReach(flags, (reach) => reach.ask<HeadlineRecord>('GET', path));
      print(flags, found, () => figureLines(found));
    });

  dataCommand(headline, 'stop', 'stop comparing: lists show the post’s own title and picture')
    .argument('<site-id>')
    .argument('<url>')
    .action(async (id: string, url: string, flags: DataFlags) => {
      const ended = await withReach(flags, (reach) => reach.ask<HeadlineRecord>('PATCH', pathOf(id), { url }));
      print(flags, ended, () => [`Stopped: lists show the post’s own title and picture at ${ended.url}.`]);
    });

  return headline;
}

const pathOf = (id: string) => sitePath(id, '/headlines');

const append = (value: string, before: string[]): string[] => [...before, value];

const headingOf = ({ url, state, started }: HeadlineRecord) => `${url}  ${state}, since ${started.slice(0, 10)}`;

function linesOf(record: HeadlineRecord): string[] {
  const { winner, alternatives } = record;
  const [own] = alternatives;
  return [
    headingOf(record),
    ...alternatives.map(({ title, image_url, share }, index) => {
      const mark = winner === index + 1 ? 'won' : `${Math.round(share * 100)} %`;
      const picture = index > 0 && image_url !== own?.image_url ? `  ${image_url}` : '';
      return `${String(index + 1).padStart(4)}  ${mark.padStart(5)}  ${title || '-'}${picture}`;
    }),
  ];
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function figureLines(record: HeadlineRecord): string[] {
  const { winner, ended, announced, alternatives } = record;
  const [own] = alternatives;
  const rows = alternatives.map(({ title, image_url, share, metrics }, index) => {
    const number = `${index + 1}${winner === index + 1 ? ' won' : ''}`;
    const figures =
      metrics === undefined
        ? ['-', '-', '-', '-']
        : [
            inDigits(metrics.seen),
            inDigits(metrics.clicks),
            inDigits(metrics.quality_clicks),
            percent(metrics.probability),
          ];
    const picture = index > 0 && image_url !== own?.image_url ? `  ${image_url}` : '';
    return [number, percent(share), ...figures, `${title || '-'}${picture}`];
  });
  return [
    headingOf(record),
    ...(ended === null
      ? []
      : [`Ended ${ended.slice(0, 10)}${announced === null ? '' : '; its webhook took the winner'}.`]),
    ...table(['', 'SHARE', 'SEEN', 'CLICKS', 'QUALITY CLICKS', 'THE BEST', 'TITLE'], rows),
  ];
}
