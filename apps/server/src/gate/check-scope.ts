import type { Operation, Scope } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import type { Sender } from './check-origin.js';
import type { Identity } from './identify.js';

/** Whether an identity may do what asks for a scope (SEC-8, SEC-9). Throws what it lacks. */
export function checkScope(identity: Identity | null, sender: Sender, scope: Operation['scope']): void {
  if (scope === 'public') return;
  if (identity === null) {
    throw new RecollectError(
      'AUTHENTICATION_REQUIRED',
      'This deployment asks for an API key: send Authorization: Bearer and the key. recollect keys create makes one.',
    );
  }
  if (scope === 'any') return;
  const { scopes, apiKeyId } = identity;
  const holders: readonly Scope[] = scope === 'jobs:run' ? [scope, 'jobs:manage', 'admin'] : [scope, 'admin'];
  if (!holders.some((holder) => scopes.includes(holder))) {
    throw new RecollectError('SCOPE_MISSING', `This API key lacks the scope ${scope}.`);
  }
  const isOwner = sender === 'program' || sender === 'own' || (sender === 'unmarked' && apiKeyId !== null);
  if (scope === 'admin' && !isOwner) {
    throw new RecollectError(
      'OWNER_ONLY',
      'Only the owner may do this: from a program or the command line, and from no web page or extension but the own pages.',
    );
  }
}
