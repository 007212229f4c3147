// What `afterword mcp` says of a server whose answer breaks off, and of messages that are none; the rest of it is in mcp.test.ts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { overHttp, relay } from '../../server/cli/relay.ts';
import { until } from '../support/until.ts';

test('a server that breaks its answer off is named', async () => {
  const breaks = createServer((_, response) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('{', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await until('it listens', () => breaks.listening);
  const server = `http://127.0.0.1:${(breaks.address() as AddressInfo).port}`;
  const send = overHttp({ server, site: 'a.example', secret: 'x' });
  await expect(send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).rejects.toThrow(`${server} does not answer: `);
  breaks.close();
});

test('a message that is none is left out, which one line says', async () => {
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const stdin = new PassThrough();
  stdin.end('[]\n{"jsonrpc":"2.0","id":1}\n');
  await relay(() => Promise.resolve(undefined), { stdin, stdout: new PassThrough() });
  write.mockRestore();
  const line = 'warning: a message is left out: it is no message of JSON-RPC.\n';
  expect(said).toEqual([line, line]);
});
