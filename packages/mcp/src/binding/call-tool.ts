import type { CallToolResult } from '@modelcontextprotocol/server';
import { type FieldError, validate } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '@recollect/core';
import type { TObject, TSchema } from 'typebox';
import { actorOf, hasScope, type Session } from '../caller.js';
import type { Tool } from '../tools/tool.js';

/**
 * Calls a tool. An error becomes a result that explains it, so that a model can correct its call or inform its user.
 * Only the cancellation of a call is thrown.
 */
export async function callTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  { core, caller, report }: Session,
  cancelled: AbortSignal,
): Promise<CallToolResult> {
  if (!hasScope(caller, tool.scope)) {
    return errorResult(
      `The API key of this connection lacks the scope ${tool.scope}, so it may not call ${tool.name}. The user can create a key that has it with recollect keys create.`,
    );
  }
  const read = readArguments(tool.arguments, args);
  const faults = validate(tool.arguments, read);
  if (faults.length > 0) return errorResult(explainValidation(tool, faults));
  try {
    const { result, text } = await withTimeLimit(cancelled, (signal) =>
      tool.run(read, { core, userId: caller.userId, client: caller.client, actor: actorOf(caller), signal }),
    );
    const problem = await core.describeProblem();
    const notice = problem === null ? '' : `Tell the user: ${problem}\n\n`;
    return { content: [{ type: 'text', text: notice + text }], structuredContent: { ...result } };
  } catch (error) {
    cancelled.throwIfAborted();
    return errorResult(explainError(error, report));
  }
}

function explainValidation({ name, arguments: schema }: Tool, faults: readonly FieldError[]): string {
  const sentences = faults.map(({ pointer, message }) =>
    pointer === '' ? 'Unknown argument.' : `${pointer.slice(1)} ${message}.`,
  );
  const takes = Object.keys(schema.properties).map((key) =>
    schema.required?.includes(key) ? `${key} (required)` : key,
  );
  return `${sentences.join(' ')} ${name} accepts: ${takes.join(', ')}.`;
}

/** The message for an error: its own if the error is ours, otherwise one that reveals no internals (SEC-15). */
export function explainError(error: unknown, report: (error: unknown) => void): string {
  if (error instanceof RecollectError) {
    return error.code === 'NOT_FOUND' ? `${error.message} Use an id from search or recent.` : error.message;
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return 'The call took over 10 seconds and was stopped. Another program may be writing to the store, or the machine is busy. Try again in a moment.';
  }
  report(error);
  return 'An internal error occurred; the server logged it. Try again.';
}

function errorResult(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/**
 * Reads the arguments of a call as models send them. Null counts as missing. For an argument of another type, a string
 * that is JSON of that type is its value, and a string of labels is a list that is separated by commas. Everything else
 * is left for the schema to accept or refuse.
 */
export function readArguments(schema: TObject, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === 'string' ? readAs(schema.properties[name], value) : value]),
  );
}

interface JsonSchema {
  type?: string;
  items?: JsonSchema;
}

function readAs(schema: TSchema | undefined, text: string): unknown {
  const { type, items } = (schema ?? {}) as JsonSchema;
  if (type === undefined || type === 'string') return text;
  const value = parse(text);
  if (isOf(type, value)) return value;
  // The commas of JSON that is cut off separate no labels.
  if (type !== 'array' || items?.type !== 'string' || text.trimStart().startsWith('[')) return text;
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  // The types of a JSON Schema that are left have the names of JavaScript.
  return value !== null && !Array.isArray(value) && typeof value === type;
}

/** The value of a text in JSON, and of Python's names for true and false; undefined if it is neither. */
function parse(text: string): unknown {
  if (/^\s*(?:True|False)\s*$/.test(text)) return /True/.test(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds before the limit at which the work is asked to stop, so that it can still report what it has done. */
const GRACE_PERIOD = 1_000;

/**
 * Runs work within the time limit of a call. The work's signal aborts shortly before the limit. Throws a `TimeoutError`
 * at the limit, or the reason of `cancelled` if that aborts first.
 */
export async function withTimeLimit<T>(cancelled: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  cancelled.throwIfAborted();
  const { callMs } = limits.mcp;
  const soon = AbortSignal.any([cancelled, AbortSignal.timeout(callMs - GRACE_PERIOD)]);
  const late = AbortSignal.any([cancelled, AbortSignal.timeout(callMs)]);
  const over = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(late.reason), { once: true });
  });
  return Promise.race([work(soon), over]);
}
