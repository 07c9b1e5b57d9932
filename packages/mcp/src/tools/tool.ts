import type { Actor, Scope } from '@recollect/contract';
import type { Core } from '@recollect/core';
import type { Static, TObject, TSchema } from 'typebox';
import type { Client } from '../caller.js';

/** The context that a tool receives with its arguments. */
export interface ToolCall {
  core: Core;
  userId: string;
  client: Client | null;
  /** The caller, for the history of changed memories. */
  actor: Actor;
  /** Aborts when the call is cancelled or its time is up. */
  signal: AbortSignal;
}

/** A tool's answer: structured for programs, and with the same content as text for models and people. */
interface Answer<Result> {
  result: Result;
  text: string;
}

interface Description<Arguments, Result> {
  name: string;
  title: string;
  /** Tells a model when to use the tool. */
  description: string;
  /** The scope that a caller needs. */
  scope: Scope;
  arguments: Arguments;
  result: Result;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** A tool of the server with any schemas. Errors that a model can correct are {@link RecollectError}s. */
export interface Tool extends Description<TObject, TSchema> {
  /** @param args arguments that fit the tool's schema: `callTool` has validated them */
  run(args: object, call: ToolCall): Promise<Answer<object>>;
}

/** Defines a tool: types `run` by the tool's own schemas. */
export function defineTool<Arguments extends TObject, Result extends TObject>(
  tool: Description<Arguments, Result> & {
    run(args: Static<Arguments>, call: ToolCall): Promise<Answer<Static<Result>>>;
  },
): Tool {
  return { ...tool, run: async (args, call) => tool.run(args as Static<Arguments>, call) };
}

/** Normalises an id, which a model may also write as the resource's URI. */
export function memoryId(text: string): string {
  return text
    .trim()
    .replace(/^memory:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();
}
