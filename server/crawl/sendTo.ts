// Sends a message to an address that an operator named, with the checks of every outgoing request: addresses of the
// public internet on the web's own ports, whatever the name leads to. Redirects are not followed.
import { ask, type FetchRules, requireWebPort, requireWebUrl, withinTime } from './fetchPage.ts';
import type { Message } from './request.ts';

/**
 * @returns The status of the answer; its body is not read.
 * @throws {CrawlError} where the address is not allowed or does not answer.
 */
export async function sendTo(address: string, message: Message, rules: FetchRules): Promise<number> {
  const url = requireWebUrl(address);
  requireWebPort(url, rules.anyPort);
  return await withinTime(rules, async (signal) => {
    const answer = await ask(url, { accept: '*/*', message }, { ...rules, signal });
    answer.destroy();
    return answer.statusCode ?? 0;
  });
}
