// `afterword health`: whether the server on a data folder answers at the port it listens on, whichever that is. For
// HEALTHCHECK of a container and the like.
import type { Command } from 'commander';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { fetchFailure } from './fetchFailure.ts';
import { print } from './output.ts';
import { askStatus, type ServerStatus } from './reach.ts';
import { findSocket } from './socket.ts';

const PATIENCE_MS = 3_000;

export function addHealthCommand(program: Command): void {
  dataCommand(program, 'health', 'ask the running server whether it lives, at the port it listens on; exit code 0 or 1')
    .option('--ready', 'ask whether it takes events, too, as a load balancer does')
    .action(async (flags: DataFlags & { ready?: boolean }) => {
      const socket = await findSocket(flags.data);
      const { address } = socket === undefined ? {} : await askInTime(socket, flags.data);
      if (address === undefined) throw new CommandError(`No server listens yet on ${flags.data}.`);
      const path = flags.ready === true ? '/readyz' : '/healthz';
      const { status } = await fetch(address + path, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
        (error: unknown) => {
          throw new CommandError(`${address}${path} does not answer: ${fetchFailure(error)}.`);
        },
      );
      if (status !== 200) throw new CommandError(`${address}${path} answers with status ${status}.`);
      print(flags, { address, status }, () => [`${address}${path} is well.`]);
    });
}

/** A server that hangs accepts connections, and answers none. */
async function askInTime(socket: string, data: string): Promise<ServerStatus> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return await askStatus(socket, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new CommandError(`The server that runs on ${data} does not answer within ${PATIENCE_MS / 1000} s.`);
  });
}
