// A tool that changes something asks first what is there, so that its undo can be named: what is not answered is no "nothing is there".
import { expect, test } from 'vitest';
import type { ActingTool, Body, Question } from '../../server/mcp/tool.ts';
import { useTool } from '../../server/mcp/useTool.ts';

/** Writes a set of rules, in place of the one of its name. */
const TOOL: ActingTool = {
  name: 'set',
  description: 'Writes a set.',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false },
  isDestructive: true,
  question: (args) => ({ method: 'POST', path: '/v2/rules', body: args }),
  async undo({ name }, ask) {
    const { data } = await ask({ method: 'GET', path: '/v2/rules' });
    return Array.isArray(data)
      ? { tool: 'set', arguments: { name, rules: data }, says: 'It is as it was.' }
      : { tool: 'remove', arguments: { name }, says: 'It is gone again.' };
  },
};

const refusal = (code: number): Body => ({ success: false, code, message: 'No.' });

/** @param before What the question about the state before is answered with. */
async function use(before: Body) {
  const asked: Question[] = [];
  const ask = async (question: Question): Promise<Body> => {
    asked.push(question);
    return question.method === 'GET' ? before : { success: true };
  };
  return { ...(await useTool({ tool: TOOL, args: { name: 'front' }, ask })), asked: asked.map(({ method }) => method) };
}

test.each([429, 500, 503])('changes nothing while what is there is answered with %i', async (code) => {
  expect(await use(refusal(code))).toEqual({ answer: refusal(code), asked: ['GET'] });
});

test.each([403, 404, 422])('takes %i for an answer: there is nothing', async (code) => {
  expect(await use(refusal(code))).toMatchObject({ undo: { tool: 'remove' }, asked: ['GET', 'POST'] });
});

test('names the tool that writes again what was there', async () => {
  expect(await use({ success: true, data: ['a rule'] })).toMatchObject({
    undo: { tool: 'set', arguments: { name: 'front', rules: ['a rule'] } },
    asked: ['GET', 'POST'],
  });
});
