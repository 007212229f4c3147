// The TypeScript compiler over a program that uses a package, as the package's users run it.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './build.ts';

const OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: [],
  skipLibCheck: false,
};

/**
 * @param folder Has the package in its node_modules; `tsconfig.json` is written there.
 * @param files Relative to the folder.
 * @param options Compiler options beside strict ones.
 * @returns what the compiler says; "" where it finds nothing.
 */
export async function compile(folder: string, files: string[], options: Record<string, unknown> = {}): Promise<string> {
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files }),
  );
  try {
    await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
