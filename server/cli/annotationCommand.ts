// `afterword annotation …`: what a site writes beside its curves, such as a deploy.
import { Command } from 'commander';
import { DEFAULT_KIND, MAX_LABEL } from '../contract/annotations.ts';
import type { AnnotationInfo } from './admin/annotations.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { table } from './table.ts';

type AddFlags = DataFlags & { kind?: string; date?: string; url?: string };

export function annotationCommand(): Command {
  const annotation = new Command('annotation')
    .summary('write what happened beside the curves of the console, such as a deploy')
    .description(
      'Annotations: marks on the curves of the console. Posts published and experiments are marked by themselves. ' +
        'These commands work while the server runs, and when it does not.',
    );

  dataCommand(annotation, 'add', 'write an annotation')
    .argument('<site-id>')
    .argument('<label>', `what happened, up to ${MAX_LABEL} characters`)
    .option('--kind <word>', `a word such as deploy, newsletter or outage (${DEFAULT_KIND} when not said)`)
    .option(
      '--date <time>',
      'when it happened, in the time zone of the site: 2026-01-31, 2026-01-31T09:30, or 15m ago as 15m (now when not said)',
    )
    .option('--url <url>', 'the post that it is about (the whole site when not said)')
    .action(async (id: string, label: string, { kind, date, url, ...flags }: AddFlags) => {
      const body = { label, kind, date, url };
      const made = await withReach(flags, (reach) => reach.ask<AnnotationInfo>('POST', pathOf(id), body));
      print(flags, made, () => [`Annotation ${made.id}, ${made.kind} at ${written(made)} UTC: ${made.label}`]);
    });

  dataCommand(annotation, 'list', 'list the annotations of a site, the newest first')
    .argument('<site-id>')
    .action(async (id: string, flags: DataFlags) => {
      const all = await withReach(flags, (reach) => reach.ask<AnnotationInfo[]>('GET', pathOf(id)));
      const rows = all.map((one) => [one.id, written(one), one.kind, one.label, one.url]);
      print(flags, all, () =>
        rows.length === 0 ? ['No annotation.'] : table(['ANNOTATION', 'TIME (UTC)', 'KIND', 'LABEL', 'POST'], rows),
      );
    });

  dataCommand(annotation, 'remove', 'remove an annotation')
    .argument('<site-id>')
    .argument('<annotation>', 'its id, as listed')
    .action(async (id: string, annotation: string, flags: DataFlags) => {
      const path = `${pathOf(id)}/${encodeURIComponent(annotation)}`;
      const removed = await withReach(flags, (reach) => reach.ask<AnnotationInfo>('DELETE', path));
      print(flags, removed, () => [`Annotation ${removed.id} (${removed.label}) is removed.`]);
    });

  return annotation;
}

const pathOf = (id: string): string => sitePath(id, '/annotations');

/** To the minute. */
const written = ({ time }: AnnotationInfo): string => time.slice(0, 16).replace('T', ' ');
