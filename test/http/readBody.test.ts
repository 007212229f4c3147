// Bodies that are too long, too slow to tell, or broken off.
import { expect, test } from 'vitest';
import { BadParameters } from '../../server/http/errors.ts';
import { readBody } from '../../server/http/readBody.ts';

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request('http://x/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);

/** Sends parts one by one; `undefined` breaks the connection. */
function stream(...parts: (string | undefined)[]): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part !== undefined) controller.enqueue(new TextEncoder().encode(part));
      else if (parts.length > 0) controller.error(new Error('aborted'));
      else controller.close();
    },
  });
}

test.each([
  ['a text', () => post('häuser'), 'häuser'],
  ['no body', () => post(null), ''],
  ['parts', () => post(stream('a', 'b', 'c')), 'abc'],
  ['exactly the bound', () => post('x'.repeat(10)), 'x'.repeat(10)],
  ['bytes, not characters, count', () => post('ä'.repeat(6)), undefined],
  ['one byte too many, unannounced', () => post(stream('x'.repeat(10), 'y')), undefined],
  ['too long by its own announcement', () => post('x', { 'Content-Length': '11' }), undefined],
  ['an announcement that is no number', () => post('x', { 'Content-Length': 'many' }), 'x'],
])('%s', async (_, request, expected) => {
  expect(await readBody(request(), 10)).toBe(expected);
});

test('a sender who goes away is no fault of ours', async () => {
  await expect(readBody(post(stream('a', undefined, 'never')), 10)).rejects.toThrow(BadParameters);
});
