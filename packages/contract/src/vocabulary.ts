/** How the content of a capture is selected. */
/** How the text of a raw page is found: its article, or all that it shows. */
export const extractions = ['article', 'page'] as const;
export type Extraction = (typeof extractions)[number];

export const captureModes = ['smart', 'selection', 'page', 'conversation'] as const;
export type CaptureMode = (typeof captureModes)[number];

/** Chat surfaces, whose name is the source type of their memories (CAP-4). */
export const surfaces = ['chatgpt', 'claude', 'openclaw'] as const;
/** `url` is a web page, `file` a file that was saved by its name, and `note` any other text. */
export const sourceTypes = ['url', 'note', 'file', ...surfaces] as const;
export type SourceType = (typeof sourceTypes)[number];

export const indexingStatuses = ['pending', 'completed', 'blocked', 'failed'] as const;
export type IndexingStatus = (typeof indexingStatuses)[number];

/**
 * The scopes of an API key. `admin` is a person's power over their own memories: it includes all scopes but `operate`,
 * and only it may create and revoke keys. `operate` runs the deployment: backups, plugins, the model, metrics, people.
 * An owner's `admin` includes it. `jobs:manage` includes `jobs:run`.
 */
export const scopes = [
  'capture:write',
  'memory:read',
  'memory:write',
  'index:run',
  'jobs:run',
  'jobs:manage',
  'admin',
  'operate',
] as const;
export type Scope = (typeof scopes)[number];

/**
 * The roles of a person. `owner` operates the deployment and has their own memories, `member` has their own memories,
 * and `guest` reads only.
 */
export const roles = ['owner', 'member', 'guest'] as const;
export type Role = (typeof roles)[number];

/**
 * Whether a person may use the deployment. `invited`: they have not opened their invitation yet. `leaving`: their
 * memories are being deleted.
 */
export const userStates = ['invited', 'active', 'suspended', 'leaving'] as const;
export type UserState = (typeof userStates)[number];

/** How a job run ended. `timeout`: it was stopped at its time limit. */
export const runStatuses = ['success', 'warning', 'failed', 'timeout'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** The scopes of a plugin for memories. It declares the scopes that it needs. */
export const pluginScopes = ['search', 'read', 'list', 'tag', 'save'] as const;
export type PluginScope = (typeof pluginScopes)[number];

/** Permissions of a plugin besides memories. The owner has to allow them. */
export const pluginPermissions = ['network'] as const;
export type PluginPermission = (typeof pluginPermissions)[number];

/** `available`: shipped but not installed. `suspended`: it failed to start too often. */
export const pluginStates = ['available', 'active', 'disabled', 'suspended'] as const;
export type PluginState = (typeof pluginStates)[number];

/** The kinds of programs through which memories are saved and changed. `http` is any other client of the interface. */
export const clients = ['extension', 'bookmarklet', 'web', 'cli', 'mcp', 'plugin', 'http'] as const;
export type ClientKind = (typeof clients)[number];

/** Whether the user has read a memory. `reading`: in part. */
export const readStates = ['unread', 'reading', 'read'] as const;
export type ReadState = (typeof readStates)[number];

/** Where the user keeps a memory. `inbox`: not sorted yet. */
export const places = ['inbox', 'later', 'archive'] as const;
export type Place = (typeof places)[number];

/** The colours that a tag can have. */
export const tagColours = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'] as const;
export type TagColour = (typeof tagColours)[number];

/** The colours that a highlight can have. */
export const highlightColours = ['yellow', 'green', 'blue', 'pink'] as const;
export type HighlightColour = (typeof highlightColours)[number];

/** What the user decides on a highlight in the review: to see it again, or to see it there no more. */
export const reviewDecisions = ['keep', 'dismiss'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** The orders of a list of memories. `opened`: last opened first; those never opened follow, newest first. */
export const sorts = ['newest', 'oldest', 'opened', 'title', 'longest'] as const;
export type Sort = (typeof sorts)[number];

/** The fields of a memory that the history records. */
export const recordedFields = ['title', 'tags', 'note', 'text', 'starred', 'readState', 'progress', 'place'] as const;

/** Changes of a memory after it was saved. `captured`: it was saved again, perhaps with more turns. */
export const changeKinds = ['captured', 'edited', 'deleted', 'restored'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Why a backup was made: on request, automatically, or before a migration. */
export const backupKinds = ['manual', 'hourly', 'daily', 'migration'] as const;
export type BackupKind = (typeof backupKinds)[number];

/** The embedding models that ship, by their languages. */
export const shippedModels = ['english', 'multilingual'] as const;
export type ShippedModel = (typeof shippedModels)[number];

/** The pages of the web app's settings, by the last part of their address. */
export const settingsSections = [
  'connect',
  'import-export',
  'backups',
  'languages',
  'appearance',
  'plugins',
  'statistics',
  'privacy',
  'people',
  'health',
] as const;
export type SettingsSection = (typeof settingsSections)[number];
