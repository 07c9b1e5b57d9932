import type { HttpHandler } from '@recollect/mcp';
import { type App, bindOperation } from '../bind-operation.js';

/** MCP-1: messages of assistants that the gate admitted. The MCP handler decides what each may do. */
export function mcpRoutes(app: App, handler: HttpHandler): void {
  app.addHook('onClose', () => handler.close());
  bindOperation(app, 'mcp', async ({ identity, body, headers, reply, signal }) => {
    const answer = await handler.answer({
      message: body,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()])),
      caller: identity,
      signal,
    });
    reply.code(answer.status).headers(answer.headers);
    return answer.body ?? undefined;
  });
}
