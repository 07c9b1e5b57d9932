import type { Migration } from 'kysely/migration';
import * as memories from './0001-memories.js';
import * as apiKeys from './0002-api-keys.js';
import * as plugins from './0003-plugins.js';
import * as conversations from './0004-conversations.js';
import * as storeTime from './0005-store-time.js';
import * as inlineJobs from './0006-inline-jobs.js';
import * as indexChanges from './0007-index-changes.js';
import * as historyAndSessions from './0008-history-and-sessions.js';
import * as fasterCounts from './0009-faster-counts.js';

/** Ordered by name. A migration is never changed once it is merged. */
export const migrations: Record<string, Migration> = {
  '0001-memories': memories,
  '0002-api-keys': apiKeys,
  '0003-plugins': plugins,
  '0004-conversations': conversations,
  '0005-store-time': storeTime,
  '0006-inline-jobs': inlineJobs,
  '0007-index-changes': indexChanges,
  '0008-history-and-sessions': historyAndSessions,
  '0009-faster-counts': fasterCounts,
};
