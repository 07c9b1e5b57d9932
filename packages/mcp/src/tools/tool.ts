import type { Scope } from '@recollect/contract';
import type { Core } from '@recollect/core';
import type { Static, TObject, TSchema } from 'typebox';
import type { Client } from '../caller.js';

/** What a tool receives in addition to its arguments. */
export interface Call {
  core: Core;
  userId: string;
  client: Client | null;
  /** Aborts when the call is cancelled or its time is up. */
  signal: AbortSignal;
}

/** A tool's answer: structured for programs, and with the same content as text for models and people. */
interface Answer<Result> {
  result: Result;
  text: string;
}

/** A tool of the server. `run` gets validated arguments; errors that a model can correct are {@link RecollectError}s. */
export interface Tool<Arguments extends TObject = TObject, Result extends TSchema = TSchema> {
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
  run(given: Static<Arguments>, call: Call): Promise<Answer<Static<Result>>>;
}

/** Types `run` by the tool's own schemas, and lets tools with different schemas be in one list. */
export function defineTool<Arguments extends TObject, Result extends TSchema>(tool: Tool<Arguments, Result>): Tool {
  // Safe: `callTool` passes each tool only arguments that it has validated against the tool's own schema.
  return tool as unknown as Tool;
}
