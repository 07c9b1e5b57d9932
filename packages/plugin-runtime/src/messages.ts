import type { FieldError } from '@recollect/contract';
import type { ConfigurationJudgement, PluginCall, PluginManifest } from '@recollect/core';

/** From the host to a plugin's process, a line of JSON each. */
export type ToChild =
  /** `libraries` are further names that the code imports, with the addresses of their modules. */
  | { type: 'load'; entry: string; hasNetwork: boolean; libraries: Readonly<Record<string, string>> }
  | { type: 'judge'; configuration: Readonly<Record<string, unknown>> }
  | { type: 'call'; call: PluginCall; configuration: Readonly<Record<string, unknown>> }
  | { type: 'abort' }
  | { type: 'answer'; id: number; value?: unknown; error?: string };

/** From a plugin's process to the host, a line of JSON each. The host checks them: a plugin can write there too. */
export type FromChild =
  | { type: 'ready' }
  | { type: 'loaded'; manifest: PluginManifest }
  | { type: 'refused'; reason: string; errors: FieldError[] }
  | { type: 'judged'; judgement: ConfigurationJudgement }
  | { type: 'request'; id: number; name: string; given: Record<string, unknown> }
  | { type: 'log'; line: string }
  | { type: 'done'; status: 'success' | 'warning'; summary: string; details: string[] }
  | { type: 'failed'; summary: string; details: string[] }
  /** The process ends at once. */
  | { type: 'crashed'; summary: string; details: string[] };

/** The file descriptor of the line between host and process. */
export const LINE = 3;

/** What a process prints last that is ended for the memory it holds, or for what it prints. */
export const LAST_WORDS = {
  memory: '\nThe process holds too much memory.\n',
  output: '\nThe process prints too much.\n',
};

/** Requests of a plugin that may be on their way at once; its side of the line keeps to fewer. */
export const REQUESTS = { sent: 8, tolerated: 64, waiting: 10_000 };
