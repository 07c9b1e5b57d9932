import type { FieldError } from '@recollect/contract';
import type { ConfigurationValidation, PluginCall, PluginManifest } from '@recollect/core';

/** Messages from the host to a plugin's process, one line of JSON each. */
export type ToChild =
  /** `libraries` maps additional import names to the URLs of their modules. */
  | { type: 'load'; entry: string; hasNetwork: boolean; libraries: Readonly<Record<string, string>> }
  | { type: 'judge'; configuration: Readonly<Record<string, unknown>> }
  | { type: 'call'; call: PluginCall; configuration: Readonly<Record<string, unknown>> }
  | { type: 'abort' }
  | { type: 'answer'; id: number; value?: unknown; error?: string };

/**
 * Messages from a plugin's process to the host, one line of JSON each. The host validates them, because the plugin's
 * own code can write to the same descriptor.
 */
export type FromChild =
  | { type: 'ready' }
  | { type: 'loaded'; manifest: PluginManifest }
  | { type: 'refused'; reason: string; errors: FieldError[] }
  | { type: 'judged'; judgement: ConfigurationValidation }
  | { type: 'request'; id: number; name: string; args: Record<string, unknown> }
  | { type: 'log'; line: string }
  | { type: 'done'; status: 'success' | 'warning'; summary: string; details: string[] }
  | { type: 'failed'; summary: string; details: string[] }
  /** The process exits immediately afterwards. */
  | { type: 'crashed'; summary: string; details: string[] };

/** The file descriptor over which host and process exchange messages. */
export const CHANNEL_FD = 3;

/** The last output of a process that is killed because it uses too much memory or prints too much. */
export const EXIT_MESSAGES = {
  memory: '\nThe process holds too much memory.\n',
  output: '\nThe process prints too much.\n',
};

/**
 * Limits on concurrent requests of a plugin. Its side keeps at most `sent` in flight and `waiting` queued; the host
 * kills a process that has more than `tolerated` in flight.
 */
export const REQUESTS = { sent: 8, tolerated: 64, waiting: 10_000 };
