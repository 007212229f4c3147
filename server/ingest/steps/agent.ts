// What a user agent tells: a bot or not, and the kind of device. Remembered, because the same few thousand come again.
import Bowser from 'bowser';
import { isbot } from 'isbot';
import type { Device } from '../eventRow.ts';
import { createRecall } from '../recall.ts';

export interface Agent {
  bot: boolean;
  /** Undefined where the text does not say. */
  device: Device | undefined;
}

/** Cut before any pattern runs over it: a long one is an attack on the patterns. */
const MAX_USER_AGENT = 512;

const remembered = createRecall<Agent>(20_000);

export function readAgent(userAgent: string): Agent {
  // All events of a batch have the same.
  if (userAgent === last.userAgent) return last.agent;
  const agent = findAgent(userAgent);
  last = { userAgent, agent };
  return agent;
}

let last: { userAgent: string | undefined; agent: Agent } = {
  userAgent: undefined,
  agent: { bot: false, device: undefined },
};

function findAgent(userAgent: string): Agent {
  const text = userAgent.slice(0, MAX_USER_AGENT);
  const known = remembered.get(text);
  if (known) return known;
  const agent: Agent = { bot: isbot(text), device: deviceOf(text) };
  remembered.set(text, agent);
  return agent;
}

function deviceOf(text: string): Device | undefined {
  // Bowser throws on an empty text.
  if (text === '') return undefined;
  const type = Bowser.getParser(text).getPlatformType(true);
  return type === 'mobile' || type === 'tablet' || type === 'desktop' ? type : undefined;
}
