import { StoreRefusedError } from '../store-refused-error.js';

/** What a move leaves at a store, which then is not opened. */
export type StoreMark =
  /** The memories are in another store now. */
  | { state: 'moved'; other: string; at: string }
  /**
   * A target that does not have everything yet. `newest` is the newest change of the source, by which a source that was
   * changed since is noticed; `isFaulty`, that the copy differs from the source.
   */
  | { state: 'unfinished'; other: string; newest: number; isFaulty?: boolean };

export function writeMark(mark: StoreMark): string {
  return `${JSON.stringify(mark)}\n`;
}

/** Parses a mark. One that cannot be read still marks the store. */
export function parseMark(text: string): StoreMark {
  try {
    const mark = JSON.parse(text) as StoreMark;
    if (['moved', 'unfinished'].includes(mark.state) && typeof mark.other === 'string') return mark;
  } catch {
    // The write of the mark was interrupted.
  }
  return { state: 'moved', other: 'another store', at: '' };
}

/** Throws {@link StoreRefusedError} for a marked store. */
export function refuseMarked(mark: StoreMark | null, file: string | null = null): void {
  if (mark !== null) throw new StoreRefusedError(mark.state, { file, other: mark.other });
}
