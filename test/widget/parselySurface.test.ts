// The list of what `p.js` has: docs/coming-from-parsely.md shows the same, name by name.
import { expect, test } from 'vitest';
import { PARSELY_SURFACE } from '../../server/contract/parselySurface.ts';
import { readGuide } from '../docs/guides/guide.ts';

const IS = {
  function: 'called by the page',
  ignored: 'may be called, does nothing',
  setting: 'set by the page before',
  callback: 'called by the script',
  value: 'set by the script',
};

test('the documentation lists every function and value of p.js, and no other', () => {
  const section = readGuide('coming-from-parsely.md').section('What p.js has');
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(
    Object.entries(PARSELY_SURFACE).map(([name, { kind, says }]) => `| \`${name}\` | ${IS[kind]} | ${says} |`),
  );
});
