// What all endpoints of an application share, and the lists that it holds in memory.
import { createConsoleParts } from './console/consoleParts.ts';
import type { Deps } from './context.ts';
import type { Parts, Route } from './http/endpoint.ts';
import { createTaking } from './http/eventSenders.ts';
import { createHotLists, type HotLists } from './http/hotLists.ts';
import { createLastGood } from './http/lastGood.ts';
import { createBodies } from './http/readBody.ts';
import { createActingTools } from './mcp/actingTools.ts';
import { createAssistant } from './mcp/assistant.ts';
import { createReadTools } from './mcp/readTools.ts';
import type { Tool } from './mcp/tool.ts';
import { createNow } from './now/now.ts';
import { once } from './once.ts';
import { createBoundedReads } from './preview/boundedReads.ts';
import { createKeptFrames } from './preview/ownPage.ts';
import { toOpenApi } from './reference/openapi.ts';

/** The routes of the application, and how endpoints ask it. */
interface Inside extends Pick<Parts, 'request'> {
  routes: readonly Route[];
  /** Sends a request of a caller that is admitted. */
  perform: Parameters<typeof createAssistant>[0]['perform'];
}

/** Parts shared by all endpoints of an application. */
export function createParts(deps: Deps, lists: HotLists, { routes, request, perform }: Inside): Parts {
  const document = once(() => toOpenApi(routes));
  const tools = once((): readonly Tool[] => [...createReadTools(routes, document()), ...createActingTools(document())]);
  return {
    ...deps,
    lists,
    request,
    lastGood: createLastGood(deps),
    bodies: createBodies(),
    taking: createTaking(deps),
    pageReads: createBoundedReads({ ...deps, clock: deps.clock ?? deps.now }),
    frames: createKeptFrames(),
    looks: createNow({ ...deps, clock: deps.clock ?? deps.now }),
    ...createConsoleParts(deps),
    document,
    assistant: createAssistant({ tools, perform, log: deps.log, clock: deps.clock ?? deps.now }),
  };
}

/** The lists cached in memory: one cache for the whole server, since hiding a post empties it. */
export const openLists = ({ now, clock = now, sites, log }: Deps): HotLists =>
  createHotLists({ clock, log, allowed: (site) => sites.find(site)?.features.top === true });
