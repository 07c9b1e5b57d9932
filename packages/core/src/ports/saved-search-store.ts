import type { SavedSearch } from '@recollect/contract';

/** The saved searches of all users. Names are unique per user without regard to case (`tagKey`). */
export interface SavedSearchStore {
  /** By name, without regard to case. */
  list(userId: string): Promise<SavedSearch[]>;
  /** `taken`: another one has the name. `full`: the user has `most`. */
  insert(userId: string, search: SavedSearch, most: number): Promise<'stored' | 'taken' | 'full'>;
  /**
   * Changes the given fields, and returns the search. `taken`: another one has the name. `unknown`:
   * there is none with the id.
   */
  update(
    userId: string,
    id: string,
    change: { name?: string | undefined; query?: string | undefined; updatedAt: string },
  ): Promise<SavedSearch | 'taken' | 'unknown'>;
  /** False when unknown. */
  remove(userId: string, id: string): Promise<boolean>;
}
