// Asks a server one question after another from a process of its own, as a reader does who is not the server: in one process the
// asker's work would be counted as waiting.
//
//   const asker = startAsker();
//   const milliseconds = await asker.ask(urls);
//   asker.stop();
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { fileURLToPath } from 'node:url';

export interface Asker {
  /** @returns Milliseconds until each answer was read to its end. @throws when one is no answer. */
  ask(urls: readonly string[]): Promise<number[]>;
  stop(): void;
}

const HERE = fileURLToPath(import.meta.url);

export function startAsker(): Asker {
  const child = fork(HERE, { execArgv: ['--import', 'tsx'] });
  const failed = once(child, 'exit').then(() => {
    throw new Error('The asker ended: a question was not answered.');
  });
  // The caller gets the failure; that it is stopped at the end is none.
  failed.catch(() => undefined);
  return {
    async ask(urls) {
      const answered = once(child, 'message') as Promise<[number[]]>;
      child.send(urls);
      const [spent] = await Promise.race([answered, failed]);
      return spent;
    },
    stop: () => void child.kill(),
  };
}

function read(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}.`));
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}

if (process.argv[1] === HERE) {
  const agent = new Agent({ keepAlive: true });
  process.on('message', async (urls: readonly string[]) => {
    const spent: number[] = [];
    for (const url of urls) {
      const start = performance.now();
      await read(url, agent);
      spent.push(performance.now() - start);
    }
    process.send!(spent);
  });
}
