// A title as one line of a mail: whole words in every script, and nothing that begins another header.
import { expect, test } from 'vitest';
import { oneLine } from '../../server/mail/mail.ts';

test.each([
  ['a\r\nBcc: b@example.com', 'a Bcc: b@example.com'],
  [' a \u0000\u2028 b\u00a0', 'a b'],
  ['Donau\u00addampf\u00adschiff\ufeff', 'Donaudampfschiff'],
  // Without its joiner it is another word, or two.
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['ക\u0d4d\u200dഷ', 'ക\u0d4d\u200dഷ'],
  ['👩\u200d👩\u200d👧 ❤\ufe0f', '👩\u200d👩\u200d👧 ❤\ufe0f'],
  ['C# \u200fעברית', 'C# \u200fעברית'],
  ['\u202eabc\u2066', 'abc'],
])('%j is %j', (text, expected) => expect(oneLine(text)).toBe(expected));

test('one that is too long ends with dots', () => {
  expect(oneLine('😀'.repeat(200), 10)).toBe(`${'😀'.repeat(9)}…`);
});
