import type { Capture, ExportItem } from '@recollect/contract';

/** A memory that another program exported. */
export interface ExportedItem {
  capture: Capture;
  /** Whether it is a link: an address whose page the export does not have. */
  isLink?: boolean;
  /** Whether it was starred, a favourite or pinned. */
  isStarred?: boolean;
  /** Whether it was archived after reading, or read. */
  isRead?: boolean;
  /** Whether it was read in part. */
  isReading?: boolean;
  /** When its file was changed last, as ISO 8601 in UTC: its time if neither the capture nor the text states one. */
  changedAt?: string;
}

/** The content of an export, in its order. */
export type ExportPart =
  /** A program whose export was recognised. The following items belong to it, until the next program. */
  | { program: string }
  | ExportedItem
  /**
   * An item that is not imported, and why. `isExpected` says that nothing is lost:
   * it is empty, was deleted there, or is part of another item.
   */
  | { skipped: string; reason: string; isExpected?: boolean }
  /** An item that cannot be read, and why. */
  | { failed: string; reason: string }
  /** A file of an archive that is not a known export, and whether it is a text. */
  | { other: string; isText?: boolean };

/** Reads exports of Recollect and of other programs. */
export interface ExportReader {
  /** The other programs, as messages call them. */
  programs(): Promise<readonly string[]>;
  /**
   * Opens an export of Recollect, also a compressed one; null for another path. Throws the system's error for a file that cannot be read,
   * and later EXPORT_UNREADABLE for an export that this version cannot read, and the signal's reason.
   */
  records(path: string, signal?: AbortSignal | undefined): Promise<AsyncIterable<ExportItem> | null>;
  /**
   * Reads an export of another program, also compressed, or an archive or a folder with the files of one. Throws the system's error for a
   * file that cannot be read, EXPORT_UNREADABLE for an archive that is damaged or incomplete, and the signal's reason.
   *
   * @param options.name the name that the file had where it comes from
   * @param options.programs those whose exports are read; all by default
   */
  read(
    path: string,
    options: { name: string; signal?: AbortSignal | undefined; programs?: readonly string[] | undefined },
  ): AsyncIterable<ExportPart>;
}
