// Parses a user agent: bot or not, and the kind of device. With a cache: most events have one of the same few thousand.
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { INGEST_LIMITS } from '../limits.ts';
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

export class AgentReader {
  readonly #agents = new LRUCache<string, Agent>({ max: INGEST_LIMITS.parsedAgents });

  read(userAgent: string): Agent {
    const text = userAgent.slice(0, MAX_USER_AGENT);
    const known = this.#agents.get(text);
    if (known) return known;
    const name = namedBot(text);
    const bot = name ?? (isbot(text) ? OTHER_BOT : undefined);
    const agent: Agent = { bot, named: name !== undefined, ...deviceOfAgent(text) };
    this.#agents.set(text, agent);
    return agent;
  }
}
