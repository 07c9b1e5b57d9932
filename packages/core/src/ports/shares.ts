import type { MemoryCursor } from './memories.js';

/** A tag or a saved search that someone shares: with a person, or as a public page. */
export interface Share {
  /** The person whose memories are shared. */
  userId: string;
  id: string;
  /** Null for a saved search. */
  tag: string | null;
  /** Null for a tag. */
  search: { id: string; name: string; query: string } | null;
  /** Null for a public page. */
  personId: string | null;
  /** Whether the person may add their memories. */
  mayAdd: boolean;
  /** Whether a public page shows whole texts. */
  showsText: boolean;
  /** The secret in the address of a public page. Null for a person. */
  token: string | null;
  /** ISO 8601 in UTC. */
  createdAt: string;
}

/** A share to store, with the id of its saved search. */
export type NewShare = Omit<Share, 'userId' | 'search'> & { searchId: string | null };

/** A memory that someone added to a share of another person. */
export interface SharedMemoryPlace extends MemoryCursor {
  /** The person whose memory it is. */
  userId: string;
}

/** The shares of all users. No method returns a share of a person who is not active, except to them. */
export interface ShareStore {
  /** What a user shares, the newest first. */
  list(userId: string): Promise<Share[]>;
  /**
   * Stores a share. One of the same tag or search with the same person, or as a public page, keeps its id and token,
   * and gets the new permissions. `unknown`: the user has no such saved search. `full`: they have `most` shares.
   */
  save(userId: string, share: NewShare, most: number): Promise<Share | 'unknown' | 'full'>;
  /** Also removes what others added to it. False when unknown. */
  remove(userId: string, id: string): Promise<boolean>;
  /** What other people share with a person, the newest first. */
  sharedWith(personId: string): Promise<Share[]>;
  /** A share with an id of a user, or with a user. Null when unknown. */
  find(userId: string, id: string): Promise<Share | null>;
  /** The public page with a token. Null when unknown. */
  findPublic(token: string): Promise<Share | null>;
  /** Adds a live memory of a user to a share. `full`: they have added `most` memories to it. */
  add(
    userId: string,
    share: Pick<Share, 'userId' | 'id'>,
    memory: { id: string; addedAt: string },
    most: number,
  ): Promise<'stored' | 'unknown' | 'full'>;
  /** Takes an added memory out of all shares of a tag. False when it was in none. */
  takeOut(ownerId: string, tag: string, memory: { userId: string; id: string }): Promise<boolean>;
  /**
   * The memories that active people who may add have added to the shares of a tag, the newest first. Some may be in the
   * trash.
   */
  added(
    ownerId: string,
    tag: string,
    options: { limit: number; after?: MemoryCursor | null; only?: { userId: string; id: string } },
  ): Promise<SharedMemoryPlace[]>;
}
