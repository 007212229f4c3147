// Parses a user agent: bot or not, and the kind of device. With a cache: most events have one of the same few thousand.
import { isbot } from 'isbot';
import { INGEST_LIMITS } from '../limits.ts';
import { createRecall } from '../recall.ts';
import { namedBot, OTHER_BOT } from './agentNames.ts';
import { type AgentDevice, deviceOfAgent } from './device.ts';

export interface Agent extends AgentDevice {
  /** Name the bot is counted under: one of the table's, or `other`; undefined for readers. */
  bot: string | undefined;
  /** Whether it is in the table: such an agent is a bot also where a server or an app reports for its users. */
  named: boolean;
}

/** Characters that the patterns see: a long agent is an attack on them. */
const MAX_USER_AGENT = 512;

const remembered = createRecall<Agent>(INGEST_LIMITS.parsedAgents);

export function readAgent(userAgent: string): Agent {
  // All events of a batch have the same agent.
  if (userAgent === last.userAgent) return last.agent;
  const agent = findAgent(userAgent);
  last = { userAgent, agent };
  return agent;
}

let last: { userAgent: string | undefined; agent: Agent } = {
  userAgent: undefined,
  agent: { bot: undefined, named: false, device: undefined, maybeTablet: false },
};

function findAgent(userAgent: string): Agent {
  const text = userAgent.slice(0, MAX_USER_AGENT);
  const known = remembered.get(text);
  if (known) return known;
  const name = namedBot(text);
  const bot = name ?? (isbot(text) ? OTHER_BOT : undefined);
  const agent: Agent = { bot, named: name !== undefined, ...deviceOfAgent(text) };
  remembered.set(text, agent);
  return agent;
}
