import type { MemoryDetail } from '@recollect/contract';
import { wholeBoundary } from '@recollect/contract/text';
import { diffLines, diffWordsWithSpace } from 'diff';

/** A passage that both texts have, or only the former or the latter. */
export interface Part {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Milliseconds for the lines of both texts, for the words of one changed passage, and for all of them. */
const LINES_MS = 200;
const WORDS_MS = 100;
const ALL_WORDS_MS = 2_000;
/** Milliseconds of work without a pause. */
const TURN_MS = 20;
/** Characters of a passage from which its words are not compared. */
const MAX_COMPARED_CHARACTERS = 20_000;
/** The least share of equal words in a passage whose words are worth showing one by one. */
const MIN_EQUAL_SHARE = 0.25;

/**
 * Compares two texts line by line, and changed lines word by word, with pauses for other work. A comparison that would
 * take too long shows longer passages as removed and added.
 *
 * @example
 * await compareTexts('green tea', 'black tea'); // removed "green", added "black", same " tea"
 */
export async function compareTexts(before: string, after: string): Promise<Part[]> {
  const { start, end } = sameEnds(before, after);
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const changes = diffLines(old, fresh, { timeout: LINES_MS })?.map(toPart) ?? replaced(old, fresh);
  const lines: Part[] = [{ kind: 'same', text: before.slice(0, start) }, ...changes];
  return join([...(await compareWords(lines)), { kind: 'same', text: before.slice(before.length - end) }]);
}

/** The lengths of the lines that both texts begin and end with: a small change of a large text is found at once. */
function sameEnds(before: string, after: string): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  if (start === shorter && before.length === after.length) return { start, end: 0 };
  start = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end += 1;
  const line = before.indexOf('\n', before.length - end);
  return { start, end: line < 0 ? 0 : before.length - line - 1 };
}

/** Compares the words of passages that replace one another. */
async function compareWords(lines: readonly Part[]): Promise<Part[]> {
  const parts: Part[] = [];
  const began = performance.now();
  let turn = began;
  for (let at = 0; at < lines.length; at++) {
    const [part, next] = [lines[at], lines[at + 1]];
    if (part === undefined) continue;
    if (part.kind !== 'removed' || next?.kind !== 'added') {
      parts.push(part);
      continue;
    }
    at += 1;
    const isLate = performance.now() - began > ALL_WORDS_MS;
    parts.push(...((isLate ? null : wordsOf(part.text, next.text)) ?? [part, next]));
    if (performance.now() - turn > TURN_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      turn = performance.now();
    }
  }
  return parts;
}

/** Null if the passages have little in common, or if it would take too long. */
function wordsOf(before: string, after: string): Part[] | null {
  if (before.length > MAX_COMPARED_CHARACTERS || after.length > MAX_COMPARED_CHARACTERS) return null;
  const words = diffWordsWithSpace(before, after, { timeout: WORDS_MS })?.map(toPart);
  if (words === undefined) return null;
  const same = words.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.trim().length : 0), 0);
  return same < MIN_EQUAL_SHARE * Math.max(before.length, after.length) ? null : words;
}

function toPart({ value, added, removed }: { value: string; added: boolean; removed: boolean }): Part {
  return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value };
}

function replaced(before: string, after: string): Part[] {
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
}

/** Joins neighbours of a kind, and leaves out empty parts. */
function join(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const { kind, text } of parts) {
    const last = joined.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text !== '') joined.push({ kind, text });
  }
  return joined;
}

/** A displayed part: its text, or how many characters are left out. */
export type ShownPart = Part | { kind: 'skipped'; characters: number };

/** Characters shown of unchanged text around a change, and of a change. */
const MAX_CONTEXT_CHARACTERS = 300;
const MAX_CHANGE_CHARACTERS = 20_000;
/** Parts that are shown. */
const MAX_SHOWN_PARTS = 2_000;

/** Leaves out the middle of long passages that did not change, and the rest of very long changes. */
export function condense(parts: readonly Part[]): ShownPart[] {
  const shown = parts.slice(0, MAX_SHOWN_PARTS).flatMap((part, index): ShownPart[] => {
    if (part.kind !== 'same') return cut(part, MAX_CHANGE_CHARACTERS, 0);
    return cut(part, index === 0 ? 0 : MAX_CONTEXT_CHARACTERS, index === parts.length - 1 ? 0 : MAX_CONTEXT_CHARACTERS);
  });
  const rest = parts.slice(MAX_SHOWN_PARTS).reduce((sum, { text }) => sum + text.length, 0);
  return rest === 0 ? shown : [...shown, { kind: 'skipped', characters: rest }];
}

function cut({ kind, text }: Part, head: number, tail: number): ShownPart[] {
  // Leave out only enough text to be worth its line.
  if (text.length <= head + tail + MAX_CONTEXT_CHARACTERS) return [{ kind, text }];
  const [from, to] = [wholeBoundary(text, head), wholeBoundary(text, text.length - tail)];
  const parts: ShownPart[] = [
    { kind, text: text.slice(0, from) },
    { kind: 'skipped', characters: to - from },
    { kind, text: text.slice(to) },
  ];
  return parts.filter((part) => part.kind === 'skipped' || part.text !== '');
}

/** The fields of a memory that a user can change, at some time. */
export type Snapshot = Pick<MemoryDetail, 'title' | 'tags' | 'note' | 'text'>;

/** Two snapshots to compare, the older one first, with a label for each. */
export interface Compared {
  before: Snapshot;
  after: Snapshot;
  explanation: string;
}
