// Ports for programs that must be given one before they start. They lie below those that systems give away by
// themselves, so that no other program gets one between the check and the start, nor while a program is down that will
// use it again.
import { createServer, type Server } from 'node:net';
import { isCode } from './until.ts';

const FIRST = 12_000;
const PORTS = 20_000;
/** Each process of tests looks from a port of its own on, far from those of the processes that start beside it: a prime. */
const STRIDE = 7_919;

let next = (process.pid * STRIDE) % PORTS;

/** Free ones, no two the same, and none that was given before. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const port = FIRST + (next++ % PORTS);
    if (await isFree(port)) found.push(port);
  }
  return found;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await listen(server, port);
  } catch (error) {
    if (isCode(error, 'EADDRINUSE') || isCode(error, 'EACCES')) return false;
    throw error;
  }
  await new Promise((done) => server.close(done));
  return true;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail).listen(port, '127.0.0.1', done);
  });
}
