import type { FieldError, PluginPermission, PluginRun, PluginScope } from '@recollect/contract';

export interface PluginJob {
  id: string;
  title: string;
  defaultIntervalMinutes: number;
}

export interface PluginManifest {
  slug: string;
  version: string;
  title: string;
  description: string | null;
  /** The plugin's scopes for memories. */
  scopes: readonly PluginScope[];
  /** Permissions beyond the scopes. The owner must allow them. */
  permissions: readonly PluginPermission[];
  observesCaptures: boolean;
  jobs: readonly PluginJob[];
  /** JSON Schema. */
  configurationSchema: Readonly<Record<string, unknown>>;
}

/** A plugin's manifest, and where its files come from. */
export interface PluginPackage {
  manifest: PluginManifest;
  /** `shipped`: part of Recollect, and trusted like it. `folder`: the owner's files, copied at installation. */
  source: 'shipped' | 'folder';
  /** Hash of its files, hexadecimal. */
  sha256: string;
}

/** An installed plugin. It is installed for all users. */
export interface Installation extends PluginPackage {
  isEnabled: boolean;
  allowed: readonly PluginPermission[];
  configuration: Readonly<Record<string, unknown>>;
  /** Consecutive failed starts. */
  failedStarts: number;
  suspended: { since: string; reason: string } | null;
}

/** When a job of one user runs. */
export interface Schedule {
  slug: string;
  jobId: string;
  enabled: boolean;
  intervalMinutes: number;
  /** Null while it is not enabled. */
  nextRunAt: string | null;
}

/** A run of a job that has ended. */
export interface JobRun extends PluginRun {
  slug: string;
}

/** A capture that a plugin is notified of. Its id is the same at each delivery. */
export interface CaptureEvent {
  id: string;
  kind: 'capture';
  /** When it was captured, ISO 8601. */
  time: string;
  memory: {
    id: string;
    title: string;
    sourceType: string;
    sourceApp: string;
    url: string | null;
    captureMode: string;
    tags: readonly string[];
    metadata: Readonly<Record<string, unknown>>;
    text: string;
  };
}

/** Why a plugin is called. */
export type PluginCall = { kind: 'job'; jobId: string } | { kind: 'capture'; event: CaptureEvent };

/** How a call of a plugin ended. */
export type PluginOutcome =
  | { kind: 'done'; status: 'success' | 'warning'; summary: string; details: readonly string[] }
  /** It threw, or its process ended; `timeout`: it was stopped at its time limit. */
  | { kind: 'failed' | 'timeout'; summary: string; details: readonly string[] }
  /** Its process or its code did not start. */
  | { kind: 'not-started'; summary: string; details: readonly string[] }
  /** The caller cancelled it. */
  | { kind: 'stopped' };

/** The result of validating a configuration against the plugin's schema. */
export type ConfigurationValidation =
  | { kind: 'valid'; configuration: Record<string, unknown> }
  | { kind: 'invalid'; errors: readonly FieldError[] };

/** A request from a plugin to its host during a call: a function name and unvalidated arguments. */
export interface PluginRequest {
  name: string;
  args: Readonly<Record<string, unknown>>;
}
