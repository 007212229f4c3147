// Tools that fail for a reason that stays: an assistant repeats its questions, and the log must not fill the disk.
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { MINUTE } from '../../server/durations.ts';
import { createAssistant } from '../../server/mcp/assistant.ts';
import type { Tool } from '../../server/mcp/tool.ts';
import { openNewsroom } from '../support/newsroom.ts';

const tool: Tool = {
  name: 'top_posts',
  description: 'Lists them.',
  input: { type: 'object', properties: {}, required: [], additionalProperties: false },
  question: () => ({ method: 'GET', path: '/v2/top/posts' }),
};

test('each failure of a tool is one line, then one a minute that says how many there were', async () => {
  const room = await openNewsroom({ now: Date.UTC(2030, 0, 10, 12) });
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line)) });
  let elapsed = 0;
  const { answer } = createAssistant({
    tools: () => [tool],
    perform: async () => new Response('no JSON'),
    log,
    clock: () => elapsed,
  });
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool.name, arguments: {} } };
  const ask = async () => {
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(message) });
    return await (await answer(request, message, { site: room.site, mayAct: false })).text();
  };
  for (let asked = 0; asked < 20; asked++) expect(await ask()).toContain('Internal Server Error');
  expect(lines).toMatchObject([{ tool: 'top_posts', err: { message: expect.any(String) } }]);
  elapsed += MINUTE;
  await ask();
  expect(lines.slice(1)).toMatchObject([{ tool: 'top_posts', more: 19 }]);
  await room.close();
});
