import type { McpMessage } from '@recollect/contract';

/**
 * Reads a message in which some clients send the arguments of a call as null, or as a string that is JSON. The SDK's
 * schema refuses both, and with them the text that the user wanted to save.
 */
export function readCall(message: McpMessage): McpMessage {
  const args = message.params?.arguments;
  if (args !== null && typeof args !== 'string') return message;
  const { arguments: _, ...params } = message.params ?? {};
  if (args === null) return { ...message, params };
  const value = parse(args);
  return typeof value === 'object' && !Array.isArray(value) ? readCall(withArguments(message, value)) : message;
}

const withArguments = (message: McpMessage, args: unknown): McpMessage => ({
  ...message,
  params: { ...message.params, arguments: args },
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
