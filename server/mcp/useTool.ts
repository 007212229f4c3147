// Uses a tool for a caller: arguments are checked against the schema it is offered with, the interface is asked, and
// what a change takes to be undone is found out before it is made.
import { refusal, type ToolAnswer } from './answer.ts';
import { type Arguments, type AskInterface, type Body, isActing, type Tool, type ToolInput } from './tool.ts';

export interface ToolUse {
  tool: Tool;
  args: Arguments;
  ask: AskInterface;
}

/** Its answer; an error of the interface is one, too. */
export async function useTool({ tool, args, ask }: ToolUse): Promise<ToolAnswer> {
  const wrong = complaintOf(tool.input, args);
  if (wrong !== undefined) return { answer: refusal(wrong) };
  if (!isActing(tool)) return { answer: await ask(tool.question(args)) };
  const isDry = args.dry_run === true;
  let unanswered: Body | undefined;
  const undo = await tool.undo(args, async (question) => {
    const body = await ask(question);
    if (isUnanswered(body)) unanswered ??= body;
    return body;
  });
  // What was before is not known now: the undo would be a wrong one.
  if (unanswered !== undefined) return { answer: unanswered };
  const answer = await ask(tool.question(args));
  if (answer.success === false) return { answer };
  return { answer, dry_run: isDry, undo: typeof undo === 'function' ? undo(answer) : undo };
}

/** The server is asked too much, or its database is away. Refusals of other codes say that something is not there. */
const isUnanswered = ({ success, code }: Body): boolean =>
  success === false && typeof code === 'number' && (code === 429 || code >= 500);

/**
 * Names, closed lists and kinds of values; what values mean is checked by the endpoint.
 * @returns undefined where nothing is wrong.
 */
function complaintOf({ properties, required }: ToolInput, args: Arguments): string | undefined {
  const known = Object.keys(properties);
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined)
    return `There is no argument ${JSON.stringify(unknown.slice(0, 80))}. It takes ${known.join(', ')}.`;
  const missing = required.find((name) => args[name] === undefined || args[name] === '');
  if (missing !== undefined) return `The argument ${missing} is required.`;
  for (const [name, value] of Object.entries(args)) {
    const schema = properties[name] ?? {};
    if (Array.isArray(schema.enum) && !schema.enum.includes(asText(value)))
      return `The argument ${name} takes one of ${schema.enum.join(', ')}.`;
    if (!fits(schema, value)) return `The argument ${name} takes ${KINDS[String(schema.type)] ?? 'text'}.`;
    if (hasHalf(value)) return `The argument ${name} has half of a character: give it whole.`;
  }
  return undefined;
}

/** As an address has it: a switch that takes "1" and "true" takes 1 and true. */
const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

/** What an argument takes, by the type in its schema. */
const KINDS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'an object',
};

/** A number may be written as text, as in an address, and a list of one as what is in it. */
function fits({ type, items }: { type?: unknown; items?: unknown }, value: unknown): boolean {
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'object') return typeof value === 'object' && value !== null;
  if (type === 'array' && Array.isArray(value)) return value.every((one) => fits(items ?? {}, one));
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Half of a character has no place in an address. */
const hasHalf = (value: unknown): boolean =>
  typeof value === 'string' ? /\p{Cs}/u.test(value) : Array.isArray(value) && value.some(hasHalf);
