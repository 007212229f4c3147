// `afterword site webhook`: where winners of headline tests and alarms are sent.
import type { Command } from 'commander';
import type { WebhookInfo } from './admin/webhooks.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';

export function addWebhookCommand(site: Command): void {
  dataCommand(
    site,
    'webhook',
    'send winners of headline tests, and alarms, to an address, and print the secret that signs them, which is shown only now',
  )
    .argument('<site-id>')
    .argument('<url>', 'http or https address that takes them by POST; none: they are sent to no webhook')
    .action(async (id: string, url: string, flags: DataFlags) => {
      const path = sitePath(id, '/webhook');
      const set = await withReach(flags, (reach) =>
        url.trim().toLowerCase() === 'none'
          ? reach.ask<WebhookInfo>('DELETE', path)
          : reach.ask<WebhookInfo>('POST', path, { url }),
      );
      print(flags, set, () =>
        set.url === null
          ? [
              `Winners of headline tests and alarms are sent to no webhook. Mails are sent as before: afterword mail list ${id}`,
            ]
          : [
              `Winners of headline tests are sent to ${set.url}.`,
              `Alarms and the morning page go there, too, where they are on: afterword alarm show ${id}`,
              `  secret  ${set.secret}   signs them`,
              'Keep it now: it is not shown again. The same command makes another one.',
            ],
      );
    });
}
