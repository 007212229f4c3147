// The Model Context Protocol, by its official SDK: a server for each message, without sessions. Import this file
// dynamically only.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  JSONRPCRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { NOTICE } from './answer.ts';
import type { Offer } from './assistant.ts';
import { isActing, type Tool } from './tool.ts';

const INSTRUCTIONS = `Figures of a site's readers, posts and lists. ${NOTICE} Ask for little: a short period, a small limit. Tools that change something take dry_run, and name the tool that undoes the change.`;

/** The tools ask their clients for nothing that would have to be validated. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error('Clients are asked for no input.');
  },
};

const HOW_TO_CALL = 'Give params with name, the name of a tool, and arguments, an object.';

/** Answers one message. @param request Its headers count; its body is `message`. */
export async function answerMessage(request: Request, message: object, { tools, use }: Offer): Promise<Response> {
  const { data: asked } = JSONRPCRequestSchema.safeParse(message);
  // The SDK answers an internal error with the issues of its validation.
  if (asked?.method === 'tools/call' && !CallToolRequestSchema.safeParse(message).success) {
    const error = { code: ErrorCode.InvalidParams, message: HOW_TO_CALL };
    return Response.json({ jsonrpc: '2.0', id: asked.id, error });
  }
  const server = new Server(
    { name: 'afterword', title: 'Afterword', version: '2' },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(toListed) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => use(params.name, params.arguments ?? {}));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

function toListed(tool: Tool) {
  const acts = isActing(tool);
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input,
    annotations: {
      readOnlyHint: !acts,
      ...(acts && { destructiveHint: tool.isDestructive }),
      openWorldHint: false,
    },
  };
}
