import type { Server } from '@modelcontextprotocol/server';
import type { Tool } from '../tools/tool.js';
import { callTool } from './call-tool.js';
import { findByName, type Requests, rejectCursor } from './requests.js';

/** Handles the requests to list and call tools. */
export function bindTools(server: Server, tools: readonly Tool[], { sessionOf }: Requests): void {
  server.setRequestHandler('tools/list', ({ params }) => {
    rejectCursor(params?.cursor);
    return {
      tools: tools.map(({ name, title, description, arguments: inputSchema, result: outputSchema, annotations }) => ({
        name,
        title,
        description,
        inputSchema: inputSchema as { type: 'object' },
        outputSchema: outputSchema as { type: 'object' },
        annotations: { title, ...annotations },
      })),
    };
  });
  server.setRequestHandler('tools/call', ({ params: { name, arguments: given = {} } }, context) =>
    callTool(findByName(tools, name, 'tool'), given, sessionOf(context), context.mcpReq.signal),
  );
}
