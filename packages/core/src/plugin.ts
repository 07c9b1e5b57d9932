import type { FieldError, PluginPermission, PluginRun, PluginScope } from '@recollect/contract';

export interface PluginJob {
  id: string;
  title: string;
  defaultIntervalMinutes: number;
}

/** What a plugin says of itself. */
export interface PluginManifest {
  slug: string;
  version: string;
  title: string;
  description: string | null;
  /** What it may ask of the memories. */
  scopes: readonly PluginScope[];
  /** What it needs beyond them, which its owner has to allow. */
  permissions: readonly PluginPermission[];
  observesCaptures: boolean;
  jobs: readonly PluginJob[];
  /** JSON Schema. */
  configurationSchema: Readonly<Record<string, unknown>>;
}

/** A plugin's files and what they say. */
export interface PluginPackage {
  manifest: PluginManifest;
  /** `shipped`: part of the program, and as trusted as that. `folder`: its owner's, copied when it was installed. */
  source: 'shipped' | 'folder';
  /** Over its files, hexadecimal. */
  sha256: string;
}

/** A plugin that is installed, for all users. */
export interface Installation extends PluginPackage {
  isEnabled: boolean;
  allowed: readonly PluginPermission[];
  configuration: Readonly<Record<string, unknown>>;
  /** Starts that failed in a row. */
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

/** A capture that a plugin is told of. Its id is the same each time it is delivered. */
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

/** What a plugin is called for. */
export type PluginCall = { kind: 'job'; jobId: string } | { kind: 'capture'; event: CaptureEvent };

/** How a call of a plugin ended. */
export type PluginOutcome =
  | { kind: 'done'; status: 'success' | 'warning'; summary: string; details: readonly string[] }
  /** It threw, or its process ended; `timeout`: it was ended at its limit. */
  | { kind: 'failed' | 'timeout'; summary: string; details: readonly string[] }
  /** Its process or its code did not start. */
  | { kind: 'not-started'; summary: string; details: readonly string[] }
  /** The caller has given it up. */
  | { kind: 'stopped' };

/** What a plugin's own schema makes of a configuration. */
export type ConfigurationValidation =
  | { kind: 'valid'; configuration: Record<string, unknown> }
  | { kind: 'invalid'; errors: readonly FieldError[] };

/** What a plugin asks of its host while it is called: the name of a function and its arguments, as they came. */
export interface PluginRequest {
  name: string;
  args: Readonly<Record<string, unknown>>;
}
