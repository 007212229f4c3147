// A process that takes the lock of a data folder at a given moment, says whether it has it, and lets it go when it is asked to.
import { createServer } from 'node:net';
import { holdSocket, SocketTakenError } from '../../server/cli/socket.ts';

export type Order = { dataDir: string; at: number } | 'release';

let letGo: (() => Promise<void>) | undefined;

async function take({ dataDir, at }: Exclude<Order, 'release'>): Promise<string> {
  const server = createServer((connection) => connection.end());
  // Awake when the moment comes.
  while (Date.now() < at);
  try {
    const release = await holdSocket(dataDir, server);
    letGo = async () => {
      await new Promise((done) => server.close(done));
      await release();
    };
    return 'held';
  } catch (error) {
    return error instanceof SocketTakenError ? 'taken' : String(error);
  }
}

process.on('message', async (order: Order) => {
  if (order !== 'release') return process.send?.(await take(order));
  await letGo?.();
  process.send?.('released');
});
process.send?.('ready');
