// `afterword partner …`: who may make sites through the interface.
import { Command } from 'commander';
import type { PartnerInfo, PartnerSecret } from './admin/partners.ts';
import { confirm } from './confirm.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';
import { table } from './table.ts';

export function partnerCommand(): Command {
  const partner = new Command('partner')
    .summary('make, list and remove partners, who make sites for their customers')
    .description(
      'Partners make sites for their customers: POST /api/{partner}/settings/apikeys. ' +
        'These commands work while the server runs, and when it does not.',
    );

  dataCommand(partner, 'add', 'make a partner and print its secret, which is shown only now')
    .argument('<name>', 'letters, digits and hyphens')
    .action(async (name: string, flags: DataFlags) => {
      await withReach(flags, async (reach) => {
        const made = await reach.ask<PartnerSecret>('POST', '/partners', { partner: name });
        const address = `${(await reach.status())?.url ?? 'https://your-server.example'}/api/${made.partner}/settings/apikeys`;
        print(flags, made, () => [
          `Partner ${made.partner} is ready.`,
          `  secret   ${made.secret}`,
          'Keep it now: only its hash is stored.',
          '',
          'It makes a site with',
          `  curl '${address}?secret=${made.secret}' -d '{"apikey":"example.com"}'`,
        ]);
      });
    });

  dataCommand(partner, 'list', 'list the partners').action(async (flags: DataFlags) => {
    const partners = await withReach(flags, (reach) => reach.ask<PartnerInfo[]>('GET', '/partners'));
    const rows = partners.map(({ partner, created }) => [partner, created.slice(0, 10)]);
    print(flags, partners, () => (rows.length === 0 ? ['No partner yet.'] : table(['PARTNER', 'MADE'], rows)));
  });

  dataCommand(partner, 'rotate-secret', 'replace the secret of a partner; the old one stops working at once')
    .argument('<name>')
    .action(async (name: string, flags: DataFlags) => {
      const path = `/partners/${encodeURIComponent(name)}/secret`;
      const made = await withReach(flags, (reach) => reach.ask<PartnerSecret>('POST', path));
      print(flags, made, () => [`  secret   ${made.secret}`, 'Keep it now: only its hash is stored.']);
    });

  dataCommand(partner, 'remove', 'remove a partner; the sites it made stay')
    .argument('<name>')
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, flags: DataFlags & { yes?: boolean }) => {
      const path = `/partners/${encodeURIComponent(name)}`;
      const found = await withReach(flags, (reach) => reach.ask<PartnerInfo>('GET', path));
      const what = `This ends the secret of the partner ${found.partner}; made again, it does not see the sites it made.`;
      if (flags.yes !== true) await confirm(what, found.partner);
      const gone = await withReach(flags, (reach) => reach.ask<PartnerInfo>('DELETE', path));
      print(flags, { partner: gone.partner, removed: true }, () => [`Partner ${gone.partner} is removed.`]);
    });

  return partner;
}
