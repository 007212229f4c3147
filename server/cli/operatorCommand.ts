// `afterword operator …`: the token that opens the console for all sites.
import { Command } from 'commander';
import type { MadeToken, TokenInfo } from './admin/operator.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';

const PATH = '/operator/token';

export function operatorCommand(): Command {
  const operator = new Command('operator')
    .summary("make and revoke the operator's token, which opens the console for all sites")
    .description(
      'The operator signs in to the console with a token, and sees all sites and the state of the server. ' +
        'There is one token at most. These commands work while the server runs, and when it does not.',
    );

  dataCommand(
    operator,
    'token',
    'make a token and print it, which is shown only now; one before it ends at once',
  ).action(async (flags: DataFlags) => {
    await withReach(flags, async (reach) => {
      const made = await reach.ask<MadeToken>('POST', PATH);
      const address = (await reach.status())?.url ?? 'https://your-server.example';
      print(flags, made, () => [
        `  token    ${made.token}`,
        'Keep it now: only its hash is stored.',
        ...(made.replaced ? ['The one before it, and all sessions and links made with it, have ended.'] : []),
        '',
        `Sign in as the operator at ${address}/console/`,
      ]);
    });
  });

  dataCommand(operator, 'show', 'say whether there is a token, and since when').action(async (flags: DataFlags) => {
    const info = await withReach(flags, (reach) => reach.ask<TokenInfo>('GET', PATH));
    print(flags, info, () => [
      info.created === null
        ? 'There is no token. This makes one: afterword operator token'
        : `There is a token, made at ${info.created.slice(0, 16)} (UTC).`,
    ]);
  });

  dataCommand(operator, 'revoke', 'end the token, and all sessions and links made with it').action(
    async (flags: DataFlags) => {
      await withReach(flags, (reach) => reach.ask<TokenInfo>('DELETE', PATH));
      print(flags, { revoked: true }, () => ['The token opens nothing any more; its sessions and links have ended.']);
    },
  );

  return operator;
}
