// What answers assistants: the tools of a caller, and their use. The protocol itself is loaded with the first message:
// a server that no assistant asks does not spend the time and memory.
import type { Logger } from 'pino';
import { createFailureLog } from '../failureLog.ts';
import type { Site } from '../sites/site.ts';
import { refusal, type ToolResult, toResult } from './answer.ts';
import type { AskInterface, Body, Question, Tool } from './tool.ts';
import { isActing } from './tool.ts';
import { useTool } from './useTool.ts';

/** Who sent a message. */
export interface Caller {
  site: Site;
  /** Whether it may change something. */
  mayAct: boolean;
  /** Bindings of its request: whose rate it counts for. Absent: it came over the local socket. */
  env?: object | undefined;
}

export interface Assistant {
  /**
   * Answers a message of the Model Context Protocol.
   * @param request As it came; its body is read already.
   * @param message Its body.
   */
  answer(request: Request, message: object, caller: Caller): Promise<Response>;
}

/** What the protocol asks of us. */
export interface Offer {
  tools: readonly Tool[];
  use(name: string, args: Record<string, unknown>): Promise<ToolResult>;
}

export interface AssistantOptions {
  /** All tools. */
  tools(): readonly Tool[];
  /** Sends a question to the interface, for a caller that is admitted. */
  perform(request: Request, caller: Caller): Promise<Response>;
  log: Logger;
  /** Monotonic milliseconds. */
  clock(): number;
}

export function createAssistant({ tools, perform, log, clock }: AssistantOptions): Assistant {
  const failures = createFailureLog(log, clock);
  // The protocol would answer with the words of any error.
  const failed = (tool: string) => (err: unknown) => {
    failures.add(tool, err, 'a tool failed', { tool });
    return { answer: refusal('Internal Server Error', 500) };
  };
  return {
    async answer(request, message, caller) {
      const { answerMessage } = await import('./protocol.ts');
      const all = tools();
      const offered = all.filter((tool) => caller.mayAct || !isActing(tool));
      const ask: AskInterface = async (question) => {
        return await bodyOf(await perform(toRequest(question, request, caller), caller));
      };
      const use = async (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
        const tool = offered.find((one) => one.name === name);
        if (tool !== undefined) return toResult(await useTool({ tool, args, ask }).catch(failed(name)));
        const isThere = all.some((one) => one.name === name);
        return toResult({
          answer: isThere
            ? refusal(`${name} changes something: it takes the write secret of the site.`, 403)
            : refusal(
                `There is no tool of this name. Those there are: ${offered.map((one) => one.name).join(', ')}.`,
                404,
              ),
        });
      };
      return await answerMessage(request, message, { tools: offered, use });
    },
  };
}

/** The body of an answer. The header that says how long to wait stays behind: its message says it, too. */
async function bodyOf(response: Response): Promise<Body> {
  const body = (await response.json()) as Body;
  const wait = response.headers.get('Retry-After');
  if (wait === null) return body;
  const said = String(body.message).replace(/\.$/, '');
  return { ...body, message: `${said}. Ask again in ${wait} s.` };
}

/** A question as a request on the origin of the caller's own, so that links of the answer lead there. */
function toRequest({ method, path, query = [], body }: Question, { url, headers }: Request, { site }: Caller): Request {
  const search = new URLSearchParams([['apikey', site.id], ...query.map(([name, value]) => [name, value])]);
  // A proxy in front names the client's address in the second one.
  const handed = ['Authorization', 'X-Forwarded-For'].flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return new Request(`${new URL(url).origin}${path}?${search}`, {
    method,
    headers: [...handed, ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]])],
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
