import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { actorOf } from '../caller.js';
import type { Prompt } from '../prompts/prompt.js';
import { visibleText } from '../quoting/inert-text.js';
import { findByName, type Requests, rejectCursor } from './requests.js';

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
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }, context) => {
    const prompt = findByName(prompts, name, 'prompt');
    const missing = prompt.arguments.find(
      (argument) => argument.required && visibleText(given[argument.name] ?? '').trim() === '',
    );
    if (missing !== undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${missing.name} is required: ${missing.description}.`);
    }
    return read(context, async ({ core, caller }, signal) => {
      const { userId, client } = caller;
      const text = await prompt.write(given, { core, userId, client, actor: actorOf(caller), signal });
      return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
    });
  });
}
