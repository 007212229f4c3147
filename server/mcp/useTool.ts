// Uses a tool for a caller: arguments are checked against the schema it is offered with, the interface is asked, and
// what a change takes to be undone is found out before it is made.
import { refusal, type ToolAnswer } from './answer.ts';
import { type Arguments, type AskInterface, isActing, type Tool, type ToolInput } from './tool.ts';

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
  const undo = await tool.undo(args, ask);
  const answer = await ask(tool.question(args));
  return answer.success === false ? { answer } : { answer, dry_run: isDry, undo };
}

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
    const { type, enum: words } = properties[name] ?? {};
    if (Array.isArray(words) && !words.includes(value)) return `The argument ${name} takes one of ${words.join(', ')}.`;
    if (!fits(type, value)) return `The argument ${name} does not take a value of this kind.`;
  }
  return undefined;
}

/** @param type Of the schema; undefined: any. A number may be written as text, as in an address. */
function fits(type: unknown, value: unknown): boolean {
  if (type === undefined) return true;
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'array' && Array.isArray(value)) return value.every((one) => one !== null);
  return ['string', 'number', 'boolean'].includes(typeof value);
}
