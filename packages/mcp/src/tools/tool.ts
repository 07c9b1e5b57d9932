import type { Scope } from '@recollect/contract';
import type { Core } from '@recollect/core';
import type { Static, TObject, TSchema } from 'typebox';
import type { Client } from '../caller.js';

/** What a tool is called with, beside its arguments. */
export interface Call {
  core: Core;
  userId: string;
  client: Client | null;
  /** Aborted when the call is cancelled or its time is over. */
  signal: AbortSignal;
}

/** What a tool answers, for programs and, in the same words as far as they go, for models and people. */
export interface Answer<Result> {
  result: Result;
  text: string;
}

/** One tool of the server. `run` gets arguments that fit the schema; errors that a model can mend are {@link RecollectError}s. */
export interface Tool<Arguments extends TObject = TObject, Result extends TSchema = TSchema> {
  name: string;
  title: string;
  /** When to use it, told to a model. */
  description: string;
  /** What a caller must be allowed to do. */
  scope: Scope;
  arguments: Arguments;
  result: Result;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  run(given: Static<Arguments>, call: Call): Promise<Answer<Static<Result>>>;
}

/** Keeps the types of a tool's own schemas for `run`, and lets it stand in a list with the others. */
export function defineTool<Arguments extends TObject, Result extends TSchema>(tool: Tool<Arguments, Result>): Tool {
  // A list holds tools of every schema; `callTool` gives each what it has checked against that tool's own.
  return tool as unknown as Tool;
}
