import type { PluginPermission, PluginScope } from '@recollect/contract/vocabulary';
import type { CaptureEvent } from '@recollect/core';
import type { Static, TObject } from 'typebox';
import type { PluginContext } from './context.js';

/** How a job went: a sentence, and more lines for who looks closer. */
export interface JobReport {
  summary: string;
  details?: string[];
  /** `warning`: it ran, and something wants attention. `success` when missing. */
  status?: 'success' | 'warning';
}

type Result = JobReport | string | undefined;

export interface JobDefinition<Configuration> {
  title: string;
  /** For a schedule without an interval of its own; a day when missing. */
  defaultIntervalMinutes?: number;
  // biome-ignore lint/suspicious/noConfusingVoidType: a job may return nothing.
  run(context: PluginContext<Configuration>): Promise<Result | void> | Result | void;
}

/** A plugin. */
export interface PluginDefinition<Schema extends TObject = TObject> {
  /** Its name: small letters, digits and hyphens. */
  slug: string;
  version: string;
  title: string;
  description?: string;
  /** What it may ask of the memories; nothing when missing. */
  scopes?: readonly PluginScope[];
  /** What it needs beyond them, which its owner has to allow. */
  permissions?: readonly PluginPermission[];
  /** Schema of its configuration; give each field a default. */
  configuration?: Schema;
  jobs?: Readonly<Record<string, JobDefinition<Static<Schema>>>>;
  /**
   * Told of each memory that is new, or got turns, after it was saved, one at a time, in order, and at least once: the event's id is the same
   * when it comes again. One that throws is told again later, 8 times in all.
   */
  onCapture?(event: CaptureEvent, context: PluginContext<Static<Schema>>): Promise<void> | void;
}

/** Defines a plugin: the default export of its package. */
export function definePlugin<Schema extends TObject = TObject>(
  definition: PluginDefinition<Schema>,
): PluginDefinition<Schema> {
  return definition;
}
