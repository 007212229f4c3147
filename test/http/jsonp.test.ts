// JSON-P: what may stand as a callback, and that the script says what the JSON says.
import { Script } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCallbackName, wrapJson } from '../../server/http/jsonp.ts';

test.each(['show', '_parsely_callback', 'jQuery321_1690', 'app.lists.show', '$', 'a1', 'x'.repeat(128)])(
  '%s is a callback',
  (name) => {
    expect(isCallbackName(name)).toBe(true);
  },
);

test.each([
  '',
  '1a',
  'a-b',
  'a.',
  '.a',
  'a..b',
  'a b',
  'a()',
  'alert(1)//',
  'a[0]',
  'a\n',
  'é',
  'x'.repeat(129),
  '</script>',
])('%j is none', (name) => {
  expect(isCallbackName(name)).toBe(false);
});

test('the script calls back with exactly what the JSON says, and cannot end a script element', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.string({ unit: fc.constantFrom('\u2028', '\u2029', '</script>', '<!--', 'a', '"') }),
      (value, text) => {
        const body = { value, text };
        const script = wrapJson(JSON.stringify(body), 'show');
        expect(script).not.toMatch(/[\u2028\u2029]|<\//);
        let shown: unknown;
        const show = (given: unknown) => {
          shown = given;
        };
        new Script(script).runInNewContext({ show });
        expect(JSON.stringify(shown)).toBe(JSON.stringify(body));
      },
    ),
    { numRuns: 200, examples: [[JSON.parse('[{"__proto__":{"a":[1]}}]'), '{"__proto__":1}']] },
  );
});
