// What derives from the declaration of the attributes, where the compiler cannot see it: the table of the documentation, and texts in
// the widget that are counted in bytes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ATTRIBUTES, type Attribute, LAYOUTS } from '../../server/contract/attributes.ts';
import { RELATED_FILTERS } from '../../widget/api.ts';
import { FILTERS } from '../../widget/config.ts';
import { attributeTable } from '../support/attributeTable.ts';
import { root } from '../support/build.ts';

const declared: readonly Attribute[] = ATTRIBUTES;
const asked = (of: Attribute['asks']) => declared.filter(({ asks }) => asks === of).map(({ name }) => name);

test('docs/attributes.md has the table of the declaration, word for word', () => {
  const text = readFileSync(join(root, 'docs/attributes.md'), 'utf8');
  const [table] = /^\| Name \| Values [\s\S]*?(?=\n\n)/m.exec(text) ?? [];
  expect(table).toBe(attributeTable());
});

test('the widget sends the attributes as parameters that are declared so', () => {
  // The number of posts is one of the address, too; the page and the reader are what the page part knows.
  expect(FILTERS.split(' ').sort()).toEqual(['limit', ...asked('both')].sort());
  const related = RELATED_FILTERS.trim().split(' ');
  // Experiments set dials and rules.
  expect(related.sort()).toEqual(['url', 'uuid', 'mix', 'popularity', 'rules', ...asked('related')].sort());
});

test('a layout is styled where its name is declared', () => {
  const styles = readFileSync(join(root, 'widget/ui/layouts.css'), 'utf8');
  const styled = new Set([...styles.matchAll(/\[part\$="-(\w+)"\]/g)].map(([, name]) => name));
  // A plain list has the theme alone.
  expect(['list', ...styled].sort()).toEqual([...LAYOUTS].sort());
});

test('an attribute has one name, and a default that it takes', () => {
  expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
  for (const { name, takes, initial } of declared) {
    expect(name).toMatch(/^[a-z]+(?:[-_][a-z]+)*$/);
    if (initial !== undefined && takes.is === 'choice') expect(takes.values).toContain(initial);
    if (initial !== undefined && takes.is === 'whole') {
      expect(Number(initial)).toBeGreaterThanOrEqual(takes.min);
      expect(Number(initial)).toBeLessThanOrEqual(takes.max);
    }
  }
});
