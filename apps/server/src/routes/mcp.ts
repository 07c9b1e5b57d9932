import type { HttpHandler } from '@recollect/mcp';
import { type App, bindOperation } from '../bind-operation.js';

/**
 * MCP-1: messages of assistants that the gate admitted. The MCP handler decides what each may do. It is made for the
 * first message: the protocol's library takes 0.1 s of a processor and some megabytes, which a server without
 * assistants does not need.
 */
export function mcpRoutes(app: App, create: () => Promise<HttpHandler>): void {
  let created: Promise<HttpHandler> | undefined;
  const handle = () => {
    created ??= create().catch((error) => {
      // A failure is not kept: the next message tries again.
      created = undefined;
      throw error;
    });
    return created;
  };
  app.addHook('onClose', async () => (await created)?.close());
  bindOperation(app, 'mcp', async ({ identity, body, headers, reply, signal }) => {
    const handler = await handle();
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
