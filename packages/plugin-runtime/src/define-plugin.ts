import type { PluginPermission, PluginScope } from '@recollect/contract/vocabulary';
import type { CaptureEvent } from '@recollect/core';
import type { Static, TObject } from 'typebox';
import type { PluginContext } from './context.js';

/**
 * The result of a job: a one-sentence summary and optional detail lines.
 *
 * @example
 * return { summary: '3 links checked.', details: ['1 did not answer.'], status: 'warning' };
 */
export interface JobReport {
  summary: string;
  details?: string[];
  /** `warning`: it ran, but something needs attention. Default `success`. */
  status?: 'success' | 'warning';
}

type Result = JobReport | string | undefined;

/**
 * A job of a plugin. It fails when `run` throws.
 *
 * @example
 * const greet: JobDefinition<{ name: string }> = {
 *   title: 'Say hello',
 *   run: ({ configuration }) => `Hello, ${configuration.name}.`,
 * };
 */
export interface JobDefinition<Configuration> {
  title: string;
  /** The interval of a schedule that sets none. Default one day. */
  defaultIntervalMinutes?: number;
  // biome-ignore lint/suspicious/noConfusingVoidType: a job may return nothing.
  run(context: PluginContext<Configuration>): Promise<Result | void> | Result | void;
}

/** The definition of a plugin, for {@link definePlugin}. */
export interface PluginDefinition<Schema extends TObject = TObject> {
  /** Its name: lower-case letters, digits and single hyphens, starting with a letter; at most 50 characters. */
  slug: string;
  version: string;
  title: string;
  description?: string;
  /** Which functions of `MemoryClient` it may call. Default none. */
  scopes?: readonly PluginScope[];
  /** Permissions beyond the memories. The owner must allow them. */
  permissions?: readonly PluginPermission[];
  /** The schema of its configuration. Give each field a default. */
  configuration?: Schema;
  jobs?: Readonly<Record<string, JobDefinition<Static<Schema>>>>;
  /**
   * Called after a memory was created or a conversation got new turns: one event at a time, in order, at least once. A
   * repeated event has the same id. When the hook throws, the event is retried later, up to 8 attempts in total.
   */
  onCapture?(event: CaptureEvent, context: PluginContext<Static<Schema>>): Promise<void> | void;
}

/**
 * Defines a plugin. Make it the default export of the package.
 *
 * @example
 * export default definePlugin({
 *   slug: 'reading-list',
 *   version: '1.0.0',
 *   title: 'Reading list',
 *   scopes: ['tag'],
 *   onCapture: async ({ memory: { id, text } }, { memory }) => {
 *     if (text.length > 10_000) await memory.addTags(id, ['long-read']);
 *   },
 * });
 */
export function definePlugin<Schema extends TObject = TObject>(
  definition: PluginDefinition<Schema>,
): PluginDefinition<Schema> {
  return definition;
}
