import type { AuditEntry } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../ports/core-ports.js';

/** Records and reads what operators did. */
export interface Audit {
  /** Records an action, if several people use the deployment. */
  record(actorId: string, operation: string, target: string | null, details?: Record<string, unknown>): Promise<void>;
  /** Newest first, before a position. */
  list(before?: number | undefined): Promise<{ entries: AuditEntry[] }>;
}

/** Makes the audit log. It holds ids and values, and no names: a deleted person is in it by their id only. */
export function createAudit({ auditLog, users, clock }: Pick<CorePorts, 'auditLog' | 'users' | 'clock'>): Audit {
  return {
    async record(actorId, operation, target, details = {}) {
      if (!(await users.hasOthers()) && operation !== 'removePerson') return;
      await auditLog.add({ at: clock.now().toISOString(), actorId, operation, target, details }, limits.audit.kept);
    },
    list: async (before) => ({ entries: await auditLog.list(limits.audit.page, before ?? null) }),
  };
}
