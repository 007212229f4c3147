// A move that the running server makes, followed line by line. It ends with the command.
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { LiveMoveReport } from '../storage/liveMove.ts';
import type { MoveLine } from './admin/moves.ts';
import { CommandError } from './commandError.ts';
import type { DataFlags } from './dataCommand.ts';
import { openProgress } from './progress.ts';
import { collect, sendOverSocket } from './socketClient.ts';

export interface MoveOptions extends Pick<DataFlags, 'logFormat'> {
  to: readonly string[];
  cluster?: string | undefined;
}

const GO_ON = 'When it runs again, the same command continues.';

/** @throws {CommandError} when it could not be done. */
export async function followMove(socket: string, { to, cluster }: MoveOptions): Promise<LiveMoveReport> {
  const { status, body } = await sendOverSocket(socket, 'POST', '/moves', { body: { to, cluster } });
  if (status !== 200) throw new CommandError(refusal(status, await collect(body)));
  const interrupted = () => 'Stopped: the server continues with the database it has. The same command continues.';
  const bar = openProgress({ title: 'Copying rows', total: 1, elsewhere: 'now and then', interrupted });
  try {
    for await (const line of linesOf(body)) {
      if ('error' in line) throw new CommandError(line.error);
      if ('report' in line) return line.report;
      const [done, total, note] = line.progress;
      bar.update(done, note, total);
    }
  } finally {
    bar.close();
  }
  throw new CommandError(`The server went away before the move was over. ${GO_ON}`);
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncIterable<MoveLine> {
  try {
    for await (const text of createInterface({ input: Readable.from(body), crlfDelay: Number.POSITIVE_INFINITY }))
      yield JSON.parse(text) as MoveLine;
  } catch (error) {
    throw error instanceof CommandError ? new CommandError(`${error.message} ${GO_ON}`) : error;
  }
}

const refusal = (status: number, text: string): string =>
  status === 422 ? JSON.parse(text).message : `The server could not do it (status ${status}). Its log says why.`;
