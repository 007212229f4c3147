// One ClickHouse server as a process: chdb's library run as ClickHouse's own command line, on a plain thread, because the call
// never returns. Started by clickhouse.ts with the folder of its config.xml.
//
// ffi-rs calls on the stack of a normal thread. Bindings that bring stacks of their own fail the engine's stack checks.
import { join } from 'node:path';
import { libchdbPath } from 'chdb/libchdb';
import { DataType, load, open } from 'ffi-rs';

const folder = process.argv[2]!;
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
