import type { Scope } from '@recollect/contract';

/** Which program an assistant runs in, as it calls itself. */
export interface Client {
  name: string;
  version: string;
}

/** On whose behalf messages are answered. */
export interface Caller {
  userId: string;
  scopes: readonly Scope[];
  /** Null until the client has said who it is. */
  client: Client | null;
}

/** The local user, who may do everything. */
export const mayDo = ({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  scopes.includes(scope) || scopes.includes('admin');
