import type { Picture, PictureKind } from '../pictures/picture.js';

/** The pictures of memories and of their sites. {@link MemoryStore} and {@link RecordStore} store them. */
export interface PictureStore {
  /** The picture of a live memory, or the favicon of its site. */
  find(userId: string, memoryId: string, kind: PictureKind): Promise<Picture | null>;
  /** How many pictures and favicons there are, each counted once, and their bytes. */
  size(userId: string): Promise<{ count: number; bytes: number }>;
}
