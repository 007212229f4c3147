// One ClickHouse server as a process: chdb's library run as ClickHouse's own command line, on a plain thread, because the call
// never returns. Started by clickhouse.ts with the folder of its config.xml and two ports: where other servers knock, and where
// that leads to. Not in TypeScript: to load what strips types takes as much processor time as the rest of the start.
//
// ffi-rs calls on the stack of a normal thread. Bindings that bring stacks of their own fail the engine's stack checks.
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { libchdbPath } from 'chdb/libchdb';
import { DataType, load, open } from 'ffi-rs';

const [folder, door, tcp] = process.argv.slice(2);
const statements = [
  'CREATE DATABASE IF NOT EXISTS afterword',
  'SYSTEM START LISTEN TCP',
  'SYSTEM START LISTEN HTTP',
  // The ports close when the last statement is done: this one takes a month.
  `SELECT sleepEachRow(3) FROM numbers(1000000)
   SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 4000000 FORMAT Null`,
];
const words = [
  'clickhouse',
  `--config-file=${join(folder, 'config.xml')}`,
  `--path=${join(folder, 'data')}`,
  '--multiquery',
  `--query=${statements.join(';\n')}`,
];

// A server that has all it needs from another drops the connection. ClickHouse's server takes that calmly; its command line, which
// this is, takes a connection that is reset for the end of the world (SIGABRT). So it sees only those that end.
createServer({ allowHalfOpen: true }, (from) => {
  const to = connect({ port: Number(tcp), host: '127.0.0.1', allowHalfOpen: true });
  carry(from, to);
  carry(to, from);
}).listen(Number(door), '127.0.0.1');

/**
 * @param {import('node:net').Socket} from
 * @param {import('node:net').Socket} to
 */
function carry(from, to) {
  from.setNoDelay(true);
  from.on('data', (bytes) => {
    if (to.writable && !to.write(bytes)) from.pause();
  });
  from.on('drain', () => to.resume());
  from.on('end', () => to.end());
  from.on('close', () => {
    to.end();
    // A side that still writes is read to the end.
    to.resume();
  });
  // `close` follows and does all there is to do.
  from.on('error', () => undefined);
}

open({ library: 'chdb', path: libchdbPath() });
const call = load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [words.length, words],
  runInNewThread: true,
});

/** Nothing is finished and nothing is flushed, as when the power goes. */
const end = () => process.kill(process.pid, 'SIGKILL');
call.then(end, end);
// Ends with the process that started it, however that one ends: its standard input closes.
process.stdin.resume().on('end', end);
