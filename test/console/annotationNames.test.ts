// How kinds of annotations are called.
import { expect, test } from 'vitest';
import { nameOf } from '../../widget/console/annotations.ts';

test.each([
  ['published', 'Published'],
  ['headline', 'Headline test'],
  ['deploy', 'Deploy'],
  ['constructor', 'Constructor'],
])('%s is %s', (kind, name) => expect(nameOf(kind)).toBe(name));
