// A server of a cluster that dies in the middle of its answer: the server that was reading it reports that with codes
// that may also concern the rows. They pass; rows are never set aside for them.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../server/errors.ts';
import { blankRow } from '../../server/ingest/eventRow.ts';
import type { SiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { createEventStore } from '../../server/storage/events.ts';

let server: Server;
let engine: Engine;
let refusal: { code: number; text: string } | undefined;

/** As much of ClickHouse's HTTP interface as one answer needs. */
beforeEach(async () => {
  refusal = undefined;
  server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (refusal === undefined) return response.end('{"1":1}\n');
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': refusal.code });
      return response.end(`Code: ${refusal.code}. DB::Exception: ${refusal.text} (version 26.7.2.1)`);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/afterword`;
  engine = await connect({ kind: 'remote', urls: [url] });
});
afterEach(async () => {
  await engine.close();
  server.close().closeAllConnections();
});

const broken: [code: number, text: string][] = [
  [32, 'Attempt to read after eof: while receiving packet from 10.0.0.2:9000. (ATTEMPT_TO_READ_AFTER_EOF)'],
  [33, 'Cannot read all data. Bytes read: 3. Bytes expected: 8.: while receiving packet. (CANNOT_READ_ALL_DATA)'],
];
test.each(broken)(
  'code %i says that a part of the database is away, to who reads and who writes',
  async (code, text) => {
    refusal = { code, text };
    await expect(engine.rows('SELECT count() FROM events')).rejects.toBeInstanceOf(StoreUnavailableError);
    const row = { ...blankRow('paper.example' as SiteId), url: 'https://paper.example/a', time: Date.UTC(2030, 4, 17) };
    await expect(createEventStore(engine).append([row], 'token')).rejects.toBeInstanceOf(StoreUnavailableError);
  },
);
