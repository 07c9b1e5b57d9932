import Type, { type Static, type TSchema } from 'typebox';
import { limits } from './limits.js';
import { Maybe, OrNull } from './schema.js';
import { pluginPermissions, pluginScopes, pluginStates, runStatuses, type Scope } from './vocabulary.js';

const { intervalMinutes, runDue } = limits.jobs;

export const JobSchedule = Type.Object({
  jobId: Type.String(),
  pluginSlug: Type.String(),
  enabled: Type.Boolean(),
  intervalMinutes: Type.Integer(),
  /** Null while the schedule is disabled. */
  nextRunAt: OrNull(Type.String()),
});

const outcomeFields = {
  status: Type.Enum([...runStatuses]),
  summary: Type.String(),
  details: Type.Array(Type.String()),
};

export const JobResult = Type.Object({
  jobId: Type.String(),
  ...outcomeFields,
  startedAt: Type.String(),
  finishedAt: Type.String(),
});

export const PluginRun = Type.Object({
  id: Type.String(),
  /** `onCapture` for a hook. Only failed hook runs are kept. */
  jobId: Type.String(),
  trigger: Type.Enum(['schedule', 'request', 'event']),
  ...outcomeFields,
  startedAt: Type.String(),
  finishedAt: Type.String(),
});

export const Plugin = Type.Object({
  slug: Type.String(),
  version: Type.String(),
  title: Type.String(),
  description: OrNull(Type.String()),
  state: Type.Enum([...pluginStates]),
  source: Type.Enum(['shipped', 'folder']),
  /** Hexadecimal hash of the plugin's files. It pins the installed version. */
  sha256: Type.String(),
  scopes: Type.Array(Type.Enum([...pluginScopes])),
  permissions: Type.Array(Type.Object({ permission: Type.Enum([...pluginPermissions]), allowed: Type.Boolean() })),
  observesCaptures: Type.Boolean(),
  isOn: Type.Boolean({ description: "Whether the caller's captures reach it, while it is active." }),
  jobs: Type.Array(
    Type.Object({
      jobId: Type.String(),
      title: Type.String(),
      defaultIntervalMinutes: Type.Integer(),
      schedule: OrNull(JobSchedule),
      lastRun: OrNull(PluginRun),
    }),
  ),
  configuration: Type.Record(Type.String(), Type.Unknown()),
  /** JSON Schema of the configuration. */
  configurationSchema: Type.Record(Type.String(), Type.Unknown()),
  /** Captures that the plugin was notified of, that are waiting, and that failed too often to be retried. */
  events: Type.Object({
    told: Type.Integer(),
    waiting: Type.Integer(),
    parked: Type.Integer(),
    /** When the first waiting event is due. */
    nextAt: OrNull(Type.String()),
    lastError: OrNull(Type.String()),
  }),
  suspension: OrNull(
    Type.Object({
      since: Type.String(),
      reason: Type.String(),
      resumeWith: Type.String({ description: 'The action of POST /api/v1/plugins that resumes the plugin: enable.' }),
    }),
  ),
});

export const PluginList = Type.Object({ plugins: Type.Array(Plugin) });

const Slug = Type.String({ minLength: 1, maxLength: limits.plugins.slugLength });
const JobId = Type.String({ minLength: 1, maxLength: limits.plugins.slugLength });
const Allow = Maybe(Type.Array(Type.Enum([...pluginPermissions]), { maxItems: pluginPermissions.length }));
const Sha256 = Type.String({ minLength: 64, maxLength: 64 });

/** The actions of POST /api/v1/plugins, each with its body. */
export const pluginActions = {
  'run-job': Type.Object({ action: Type.Literal('run-job'), slug: Slug, jobId: JobId }),
  'configure-job-schedule': Type.Object({
    action: Type.Literal('configure-job-schedule'),
    slug: Slug,
    jobId: JobId,
    enabled: Type.Boolean(),
    intervalMinutes: Maybe(Type.Integer({ minimum: intervalMinutes.minimum, maximum: intervalMinutes.maximum })),
  }),
  // Unknown fields are rejected here: if `sha256` is mistyped, the hash would not be checked.
  install: Type.Object(
    { action: Type.Literal('install'), slug: Slug, sha256: Maybe(Sha256), allow: Allow },
    { additionalProperties: false },
  ),
  uninstall: Type.Object({ action: Type.Literal('uninstall'), slug: Slug }),
  enable: Type.Object({ action: Type.Literal('enable'), slug: Slug, allow: Allow }),
  disable: Type.Object({ action: Type.Literal('disable'), slug: Slug }),
  'switch-on': Type.Object({ action: Type.Literal('switch-on'), slug: Slug }),
  'switch-off': Type.Object({ action: Type.Literal('switch-off'), slug: Slug }),
  configure: Type.Object({
    action: Type.Literal('configure'),
    slug: Slug,
    config: Type.Record(Type.String(), Type.Unknown()),
  }),
} as const satisfies Record<string, TSchema>;

export type PluginAction = keyof typeof pluginActions;
/** The body of one action. */
export type PluginActionOf<Action extends PluginAction> = Static<(typeof pluginActions)[Action]>;

/** Any body, so that an unknown action returns ACTION_UNKNOWN instead of the errors of every shape. */
const OtherAction = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]);

export const PluginActionBody = Type.Union([
  pluginActions['run-job'],
  pluginActions['configure-job-schedule'],
  pluginActions.install,
  pluginActions.uninstall,
  pluginActions.enable,
  pluginActions.disable,
  pluginActions['switch-on'],
  pluginActions['switch-off'],
  pluginActions.configure,
  OtherAction,
]);

/** The action that a body names; null if it is missing or unknown. */
export function pluginActionOf(body: unknown): PluginAction | null {
  const action = typeof body === 'object' && body !== null && 'action' in body ? body.action : null;
  return typeof action === 'string' && Object.hasOwn(pluginActions, action) ? (action as PluginAction) : null;
}

/** The branch of {@link PluginActionBody} that a body matches. */
export function pluginActionShape(body: unknown): TSchema {
  const action = pluginActionOf(body);
  return action === null ? OtherAction : pluginActions[action];
}

const ACTION_SCOPES: Readonly<Record<PluginAction, Scope>> = {
  'run-job': 'jobs:run',
  'configure-job-schedule': 'jobs:manage',
  configure: 'jobs:manage',
  enable: 'jobs:manage',
  disable: 'jobs:manage',
  'switch-on': 'jobs:manage',
  'switch-off': 'jobs:manage',
  install: 'operate',
  uninstall: 'operate',
};

/** The scope that a body needs. Installing and granting permissions let code run, so only an operator may (SEC-9). */
export function pluginActionScope(body: unknown): Scope {
  const action = pluginActionOf(body);
  const allow = action === 'enable' ? (body as PluginActionOf<'enable'>).allow : null;
  if (Array.isArray(allow) && allow.length > 0) return 'operate';
  return ACTION_SCOPES[action ?? 'run-job'];
}

export const RunJobAnswer = Type.Object({ message: Type.String(), jobId: Type.String(), result: JobResult });
export const ScheduleAnswer = Type.Object({ message: Type.String(), jobId: Type.String(), schedule: JobSchedule });
export const PluginAnswer = Type.Object({ message: Type.String(), plugin: Plugin });
export const UninstallAnswer = Type.Object({ message: Type.String(), slug: Type.String() });

export const RunDueBody = Type.Union([
  Type.Object({ limit: Maybe(Type.Integer({ minimum: runDue.minimum, maximum: runDue.maximum })) }),
  Type.Null(),
]);

export const RunDueAnswer = Type.Object({
  ok: Type.Boolean(),
  /** Jobs that this call ran. */
  processed: Type.Integer(),
  results: Type.Array(
    Type.Object({
      jobId: Type.String(),
      pluginSlug: Type.String(),
      ...outcomeFields,
      nextRunAt: OrNull(Type.String()),
    }),
  ),
});

export const RunsParameters = Type.Object({ slug: Type.String() });
export const RunsQuery = Type.Object({ jobId: Type.Optional(Type.String({ maxLength: limits.plugins.slugLength })) });
export const RunsAnswer = Type.Object({ runs: Type.Array(PluginRun) });

// Plugins for a key without `memory:read`: summaries and details may quote memories, so they are left out.
const StateOfRun = Type.Object({
  id: PluginRun.properties.id,
  jobId: PluginRun.properties.jobId,
  trigger: PluginRun.properties.trigger,
  status: PluginRun.properties.status,
  startedAt: PluginRun.properties.startedAt,
  finishedAt: PluginRun.properties.finishedAt,
});
const { told, waiting, parked, nextAt } = Plugin.properties.events.properties;
const StateOfPlugin = Type.Object({
  ...Plugin.properties,
  jobs: Type.Array(Type.Object({ ...Plugin.properties.jobs.items.properties, lastRun: OrNull(StateOfRun) })),
  events: Type.Object({ told, waiting, parked, nextAt }),
});
const { jobId, status, startedAt, finishedAt } = JobResult.properties;
export const PluginStates = Type.Object({ plugins: Type.Array(StateOfPlugin) });
export const RunStates = Type.Object({ runs: Type.Array(StateOfRun) });
export const PluginActionState = Type.Object({
  message: Type.String(),
  jobId: Type.Optional(Type.String()),
  slug: Type.Optional(Type.String()),
  result: Type.Optional(Type.Object({ jobId, status, startedAt, finishedAt })),
  schedule: Type.Optional(JobSchedule),
  plugin: Type.Optional(StateOfPlugin),
});
export const RunDueStates = Type.Object({
  ok: Type.Boolean(),
  processed: Type.Integer(),
  results: Type.Array(Type.Object({ jobId, pluginSlug: Type.String(), status, nextRunAt: OrNull(Type.String()) })),
});

export type JobSchedule = Static<typeof JobSchedule>;
export type JobResult = Static<typeof JobResult>;
export type PluginRun = Static<typeof PluginRun>;
export type Plugin = Static<typeof Plugin>;
export type PluginList = Static<typeof PluginList>;
export type RunJobAnswer = Static<typeof RunJobAnswer>;
export type PluginAnswer = Static<typeof PluginAnswer>;
export type ScheduleAnswer = Static<typeof ScheduleAnswer>;
export type RunDueAnswer = Static<typeof RunDueAnswer>;
export type RunsAnswer = Static<typeof RunsAnswer>;
