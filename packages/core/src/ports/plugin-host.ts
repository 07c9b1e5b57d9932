import type { PluginPermission } from '@recollect/contract';
import type {
  ConfigurationJudgement,
  Installation,
  PluginCall,
  PluginOutcome,
  PluginPackage,
  PluginRequest,
} from '../plugin.js';

/** Answers what a plugin asks for while it is called. Throws what it is told instead. */
export type AnswerRequest = (request: PluginRequest) => Promise<unknown>;

/** Where plugins run, each in a process of its own, within limits of time, memory and output. */
export interface PluginHost {
  /** The plugins that are part of the program. */
  shipped(): Promise<PluginPackage[]>;
  /**
   * Takes a folder's files into safe keeping and lets them say what they are, with what they are allowed. With `sha256`
   * only files that have it. Throws PLUGIN_INVALID.
   */
  add(folder: string, options: { sha256: string | null; allow: readonly PluginPermission[] }): Promise<PluginPackage>;
  /** Forgets the files of a plugin and ends its process. */
  remove(plugin: PluginPackage): Promise<void>;
  /** Asks the plugin's own schema. Throws PLUGIN_INVALID when it does not start. */
  judge(plugin: Installation, configuration: Readonly<Record<string, unknown>>): Promise<ConfigurationJudgement>;
  /** Calls a plugin; one call at a time each. Never throws for what the plugin does. */
  call(
    plugin: Installation,
    call: PluginCall,
    options: { userId: string; answer: AnswerRequest; signal: AbortSignal },
  ): Promise<PluginOutcome>;
  close(): Promise<void>;
}
