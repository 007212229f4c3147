// Preloaded into a server (`node --import`): shifts Date.now by the milliseconds in the file AFTERWORD_TEST_CLOCK, which is read
// repeatedly. Timers and performance.now are not affected, as when the clock of a machine is set.
import { openSync, readSync } from 'node:fs';

const READ_AGAIN_MS = 50;

// Opened once, so that a process without free descriptors can read it.
const file = openSync(process.env.AFTERWORD_TEST_CLOCK, 'r');
const text = Buffer.alloc(32);
const real = Date.now;
let offset = 0;

function read() {
  offset = Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)));
}

read();
setInterval(read, READ_AGAIN_MS).unref();
Date.now = () => real() + offset;
