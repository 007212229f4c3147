// A small paper behind a real port, with a client for each of its secrets.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { createListener } from '../../server/app.ts';
import { askApi, connectOverHttp } from './assistants.ts';
import type { Newsroom } from './newsroom.ts';
import { openSmallPaper } from './smallPaper.ts';

export interface AssistedPaper {
  room: Newsroom;
  url: string;
  /** With the read secret. */
  reader: Client;
  /** With the write secret. */
  writer: Client;
  /** Headers of a client. */
  keys(secret: string): { Authorization: string; 'Afterword-Site': string };
  /** What the API answers, with the read secret. */
  api(target: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export async function openAssistedPaper(): Promise<AssistedPaper> {
  const room = await openSmallPaper();
  const server = createServer(createListener(room.deps));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = (secret: string) => ({ Authorization: `Bearer ${secret}`, 'Afterword-Site': room.site.id });
  const [reader, writer] = await Promise.all(
    [room.secret, room.writeSecret].map((secret) => connectOverHttp(url, keys(secret))),
  );
  return {
    room,
    url,
    reader: reader!,
    writer: writer!,
    keys,
    api: (target) => askApi({ url, apikey: room.site.id, secret: room.secret }, target),
    async close() {
      await Promise.all([reader, writer].map((client) => client!.close()));
      server.closeAllConnections();
      server.close();
      await room.close();
    },
  };
}
