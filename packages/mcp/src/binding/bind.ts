import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { actorOf } from '../caller.js';
import type { Prompt } from '../prompts.js';
import { visibleText } from '../quoting/inert-text.js';
import type { Resources } from '../resources.js';
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
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, context) =>
    callTool(findByName(tools, name, 'tool'), args, sessionOf(context), context.mcpReq.signal),
  );
}

/** Handles the requests to list and get prompts. */
export function bindPrompts(server: Server, prompts: readonly Prompt[], { read }: Requests): void {
  server.setRequestHandler('prompts/list', ({ params }) => {
    rejectCursor(params?.cursor);
    return {
      prompts: prompts.map(({ name, title, description, arguments: taken }) => ({
        name,
        title,
        description,
        arguments: [...taken],
      })),
    };
  });
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, context) => {
    const prompt = findByName(prompts, name, 'prompt');
    const missing = prompt.arguments.find(
      (argument) => argument.required && visibleText(args[argument.name] ?? '').trim() === '',
    );
    if (missing !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${missing.name} is required: ${missing.description}.`);
    }
    return read(context, async ({ core, caller }, signal) => {
      const { userId, client } = caller;
      const text = await prompt.write(args, { core, userId, client, actor: actorOf(caller), signal });
      return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
    });
  });
}

/** Handles the requests to list resources, page by page, and to read them. */
export function bindResources(server: Server, resources: Resources, { read }: Requests): void {
  server.setRequestHandler('resources/list', ({ params }, context) =>
    read(context, (session) => resources.list(session, params?.cursor)),
  );
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    rejectCursor(params?.cursor);
    return { resourceTemplates: [...resources.templates] };
  });
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    read(context, (session) => resources.read(session, uri)),
  );
}
