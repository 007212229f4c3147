// A folder that only its owner may enter, and those above it that are missing.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Like `mkdir -p`, step by step: Node's own recursive one never returns where the system says "no such file" of a
 * folder whose parent is there, as below /proc.
 * @throws the system's error.
 */
export async function makeFolder(folder: string): Promise<void> {
  const failure = await tryMaking(folder);
  if (failure?.code !== 'ENOENT') {
    if (failure !== undefined) throw failure;
    return;
  }
  const parent = dirname(folder);
  if (parent === folder) throw failure;
  await makeFolder(parent);
  const again = await tryMaking(folder);
  if (again !== undefined) throw again;
}

async function tryMaking(folder: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return undefined;
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (failure.code !== 'EEXIST') return failure;
    return (await stat(folder)).isDirectory() ? undefined : failure;
  }
}
