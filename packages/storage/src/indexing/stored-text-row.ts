import { isComments, isObject, isTextByName, isTexts, readJson } from '@recollect/core/threads';
import type { TextRow } from '../dialect.js';
import { textRowOf } from './index-rows.js';

/** The columns of a chunk and its memory that its row in the full-text index is made from. */
export interface IndexedRow {
  id: number;
  user_id: string;
  position: number;
  text: string;
  title: string;
  tags: string;
  note: string | null;
  metadata: string;
  page: string;
  url: string | null;
  /** Missing in a store of an earlier version. */
  comments?: string | null;
}

/** The row of a chunk in the full-text index. */
export function toTextRow({ user_id, tags, metadata, page, comments, ...row }: IndexedRow): TextRow {
  const memory = {
    ...row,
    tags: readJson(tags, isTexts, []),
    metadata: readJson(metadata, isObject, {}),
    page: readJson(page, isTextByName, {}),
    comments: readJson(comments ?? '[]', isComments, []),
  };
  return textRowOf(user_id, memory, row);
}
