import type { Role, UserState } from '@recollect/contract';

/** How much a person may keep and send. Null: no limit. */
export interface Quota {
  memories: number | null;
  /** Bytes of texts and pictures. */
  bytes: number | null;
  capturesPerMinute: number | null;
}

/** A person who has memories in the store. */
export interface User {
  id: string;
  name: string;
  /** Email address. Null if unknown. */
  address: string | null;
  role: Role;
  state: UserState;
  quota: Quota;
  /** ISO 8601 in UTC. */
  createdAt: string;
}

/** A person with the facts that an operator sees. */
export interface UserOverview extends User {
  memories: number;
  /** Of texts and pictures. */
  bytes: number;
  /** When a key or session of theirs was last used. Null if never. */
  lastSeenAt: string | null;
}

export type UserChange = Partial<Pick<User, 'name' | 'address' | 'role' | 'state' | 'quota'>>;

/** How many rows of a person were deleted, besides their memories. */
export interface RemovedRows {
  savedSearches: number;
  apiKeys: number;
  sessions: number;
  pluginRuns: number;
}

/** The people of the store. A new store has one: the local user, who is its owner. */
export interface UserStore {
  /** False, and nothing is stored, if another person has the address. Letter case does not matter. */
  insert(user: User): Promise<boolean>;
  /** The first person first. */
  list(): Promise<UserOverview[]>;
  /** Null when unknown. Must be fast, because requests with a key of a person wait for it. */
  find(id: string): Promise<User | null>;
  /** The person with an address. Letter case does not matter. Null when unknown. */
  findByAddress(address: string): Promise<User | null>;
  /** Whether there are people besides the local user. */
  hasOthers(): Promise<boolean>;
  /** Null when unknown. */
  update(id: string, change: UserChange): Promise<User | null>;
  /**
   * Deletes a person who has no memories, with everything else that belongs to them, in one transaction. Null, and
   * nothing is deleted, while there are memories, also in the trash, or when the person is unknown.
   */
  remove(id: string): Promise<RemovedRows | null>;
}
