import type { Operation, Scope } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import type { Sender } from './check-origin.js';
import type { Identity } from './identify.js';

/** Throws unless an identity may use operations of a scope (SEC-8, SEC-9). */
export function checkScope(identity: Identity | null, sender: Sender, scope: Operation['scope']): void {
  if (scope === 'public') return;
  if (identity === null) {
    throw new RecollectError(
      'AUTHENTICATION_REQUIRED',
      'An API key is required. Create one with recollect keys create and send it as Authorization: Bearer <key>.',
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
      'Only the owner may do this, from a program, the command line or a page of this server.',
    );
  }
}
