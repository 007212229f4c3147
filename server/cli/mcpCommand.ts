// `afterword mcp`: tools for an assistant that starts this program, by the Model Context Protocol.
import type { Command } from 'commander';
import { type AssistantSettings, assistantOptions } from '../config.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';

type McpFlags = DataFlags & AssistantSettings & { act?: boolean };

export function addMcpCommand(program: Command): void {
  const command = dataCommand(program, 'mcp', 'offer the figures of a site to an assistant that starts this program');
  for (const option of assistantOptions()) command.addOption(option);
  command
    .option('--act', 'without --server: offer the tools that change something as well')
    .addHelpText('after', HELP)
    .action(async (flags: McpFlags) => {
      // Loaded only here: the protocol takes longer to load than all other commands together.
      const { relay } = await import('./relay.ts');
      await relay(await senderOf(flags), process);
    });
}

const HELP = `
Messages of the Model Context Protocol come and go on standard input and output
until the input ends; a client starts it. The tools are those of the server, at
/mcp for clients that ask by HTTP.

  AFTERWORD_SECRET=… afterword mcp --server https://stats.example.com \\
    --site example.com
  afterword mcp --data /var/lib/afterword --site example.com

With --server, the secret says what is offered: the read secret tools that read,
the write secret all. Without, the server that runs on --data is asked, and
--act says it.`;

/** How a message reaches the server. */
async function senderOf({ server, site, secret, act, data }: McpFlags) {
  if (site === undefined)
    throw new CommandError('Name the site with --site (or AFTERWORD_SITE), such as --site example.com.', 2);
  if (server === undefined) {
    const { overSocket } = await import('./relay.ts');
    return await overSocket(data, { site, act: act === true });
  }
  if (secret === undefined)
    throw new CommandError(
      'Give a secret of the site in AFTERWORD_SECRET, or a file that holds it with --secret-file (or AFTERWORD_SECRET_FILE).',
      2,
    );
  if (act === true)
    throw new CommandError('--act is for the server on --data: with --server, the write secret says the same.', 2);
  const { overHttp } = await import('./relay.ts');
  return overHttp({ server, site, secret });
}
