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
 * What an API key may be allowed to do. `admin` is the owner: it contains the others, and it alone makes and revokes keys.
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
