// The list of what `p.js` has: the README shows the same, name by name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PARSELY_SURFACE } from '../../server/contract/parselySurface.ts';
import { root } from '../support/build.ts';

const IS = {
  function: 'called by the page',
  ignored: 'may be called, does nothing',
  setting: 'set by the page before',
  callback: 'called by the script',
  value: 'set by the script',
};

test('the README lists every function and value of p.js, and no other', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('#### Older installations'), readme.indexOf('#### Without the tag'));
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(
    Object.entries(PARSELY_SURFACE).map(([name, { kind, says }]) => `| \`${name}\` | ${IS[kind]} | ${says} |`),
  );
});
