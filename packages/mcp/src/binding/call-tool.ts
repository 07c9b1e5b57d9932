import type { CallToolResult } from '@modelcontextprotocol/server';
import { type FieldError, validate } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import { mayDo } from '../caller.js';
import type { Session } from '../session.js';
import type { Tool } from '../tools/tool.js';
import { withinTime } from './within-time.js';

/**
 * Calls a tool. Whatever goes wrong with it is a result that says what, so that a model can mend its call or tell its user;
 * only a call that was cancelled is thrown.
 */
export async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  { core, caller, report }: Session,
  cancelled: AbortSignal,
): Promise<CallToolResult> {
  if (!mayDo(caller, tool.scope)) {
    return refusal(
      `The API key of this connection lacks the scope ${tool.scope}, so ${tool.name} is not allowed. The user can make a key that has it with recollect keys create.`,
    );
  }
  const cleaned = withoutNulls(given);
  const faults = validate(tool.arguments, cleaned);
  if (faults.length > 0) return refusal(explainFaults(tool, faults));
  try {
    const { result, text } = await withinTime(cancelled, (signal) =>
      tool.run(cleaned, { core, userId: caller.userId, client: caller.client, signal }),
    );
    return { content: [{ type: 'text', text }], structuredContent: result as Record<string, unknown> };
  } catch (error) {
    cancelled.throwIfAborted();
    return refusal(explainError(error, report));
  }
}

/** Models send null for what they leave out. */
function withoutNulls(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function explainFaults({ name, arguments: schema }: Tool, faults: readonly FieldError[]): string {
  const sentences = faults.map(({ pointer, message }) =>
    pointer === '' ? 'There is an argument that this tool does not take.' : `${pointer.slice(1)} ${message}.`,
  );
  const takes = Object.keys(schema.properties).map((key) =>
    schema.required?.includes(key) ? `${key} (required)` : key,
  );
  return `${sentences.join(' ')} ${name} takes: ${takes.join(', ')}.`;
}

/** What may be told of an error: its own words where it is ours, else words that tell nothing of the inside (SEC-15). */
export function explainError(error: unknown, report: (error: unknown) => void): string {
  if (error instanceof RecollectError) {
    return error.code === 'NOT_FOUND' ? `${error.message} Take an id that search or recent gave.` : error.message;
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return 'This took over 10 seconds and was stopped. Another program may be writing to the memory, or the machine is busy: try again in a moment.';
  }
  report(error);
  return 'Something went wrong inside; the log of the server has an entry. Try again.';
}

function refusal(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
