/** How content may be taken. */
export const captureModes = ['smart', 'selection', 'page', 'conversation'] as const;
export type CaptureMode = (typeof captureModes)[number];

/** Chat surfaces, whose name is the source type of their memories (CAP-4). */
export const surfaces = ['chatgpt', 'claude', 'openclaw'] as const;
export const sourceTypes = ['url', 'note', ...surfaces] as const;
export type SourceType = (typeof sourceTypes)[number];

export const indexingStatuses = ['pending', 'completed', 'blocked', 'failed'] as const;
export type IndexingStatus = (typeof indexingStatuses)[number];

/**
 * What an API key may be allowed to do. `admin` is the owner: it contains the others, and it alone makes and revokes keys
 * and installs plugins. `jobs:manage` contains `jobs:run`.
 */
export const scopes = [
  'capture:write',
  'memory:read',
  'memory:write',
  'index:run',
  'jobs:run',
  'jobs:manage',
  'admin',
] as const;
export type Scope = (typeof scopes)[number];

/** How a run of a job ended. `timeout`: it was ended at its limit of time. */
export const runStatuses = ['success', 'warning', 'failed', 'timeout'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** What a plugin may ask of the memories; it declares what it needs. */
export const pluginScopes = ['search', 'read', 'list', 'tag', 'save'] as const;
export type PluginScope = (typeof pluginScopes)[number];

/** What a plugin may do beyond the memories, which its owner has to allow. */
export const pluginPermissions = ['network'] as const;
export type PluginPermission = (typeof pluginPermissions)[number];

/** `available`: it ships with the program and is not installed. `suspended`: it failed to start too often. */
export const pluginStates = ['available', 'active', 'disabled', 'suspended'] as const;
export type PluginState = (typeof pluginStates)[number];
