import type { Comment } from '../memory.js';

/**
 * A JSON column of a memory. If the disk has changed it, so that it is no longer JSON of its kind, the fallback: one
 * damaged memory must not keep a whole list from being read.
 */
export function readJson<T, F>(json: string, isExpected: (value: unknown) => value is T, fallback: F): T | F {
  try {
    const value: unknown = JSON.parse(json);
    return isExpected(value) ? value : fallback;
  } catch {
    return fallback;
  }
}

export const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

export const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isInteger);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isTextByName = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every(isText);

/** Whether a value is the comments of a page, as a column of a memory has them. */
export const isComments = (value: unknown): value is Comment[] => Array.isArray(value) && value.every(isComment);

const isComment = (value: unknown) =>
  isObject(value) && isText(value.author) && isText(value.text) && isText(value.published ?? '');

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
