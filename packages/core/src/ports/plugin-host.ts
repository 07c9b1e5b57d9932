import type { PluginPermission } from '@recollect/contract';
import type {
  ConfigurationValidation,
  Installation,
  PluginCall,
  PluginOutcome,
  PluginPackage,
  PluginRequest,
} from '../plugin.js';

/** Answers a request that a plugin makes during a call. Throws the error that the plugin gets instead. */
export type AnswerRequest = (request: PluginRequest) => Promise<unknown>;

/** Runs each plugin in a separate process with limits on time, memory and output. */
export interface PluginHost {
  /** The plugins that ship with Recollect. */
  shipped(): Promise<PluginPackage[]>;
  /**
   * Copies a folder's files and loads them with the permissions in `allow` to read the manifest. With `sha256`, accepts
   * only files with that hash. Throws PLUGIN_INVALID.
   */
  add(folder: string, options: { sha256: string | null; allow: readonly PluginPermission[] }): Promise<PluginPackage>;
  /** Ends a plugin's process and deletes the copy of its files. */
  remove(plugin: PluginPackage): Promise<void>;
  /** Validates a configuration against the plugin's schema. Throws PLUGIN_INVALID when the plugin does not start. */
  validateConfiguration(
    plugin: Installation,
    configuration: Readonly<Record<string, unknown>>,
  ): Promise<ConfigurationValidation>;
  /** Calls a plugin, one call at a time per plugin. Never throws because of the plugin. */
  call(
    plugin: Installation,
    call: PluginCall,
    options: { userId: string; answer: AnswerRequest; signal: AbortSignal },
  ): Promise<PluginOutcome>;
  close(): Promise<void>;
}
