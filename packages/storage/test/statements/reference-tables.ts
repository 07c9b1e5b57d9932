/** Tables that a statement may read without a user, and why. In Citus each is local or on every node. */
export const referenceTables: Record<string, string> = {
  users: 'the people of the deployment, by their id',
  models: 'the models of the deployment, which all users share',
  plugin_installations: 'the plugins of the deployment, which all users share',
  error_log: 'errors for the operator',
  audit_log: 'changes by administrators, for the owner',
  store_time: 'one row: the time that the store has observed',
  integrity_round: 'one row: how far the check of checksums has come',
  api_keys: 'a key is found before its user is known',
  web_sessions: 'a session is found before its user is known',
  pairing_codes: 'a code is found before its user is known',
  invitations: 'an invitation is found before its user is known',
  passkeys: 'a passkey is found before its user is known',
  identities: 'an account at a provider is found before its user is known',
  server_secrets: 'secrets that all servers share',
  used_challenges: 'challenges of sign-ins, whose user is not known yet',
};

/** Tables of users in which a statement may look for the rows of others, and why. Citus asks each node for them. */
export const connectingTables: Record<string, string> = {
  shares: 'a share is found by the person or the secret address that it is for',
  shared_memories: 'what others have added is found by the owner of the share',
};
