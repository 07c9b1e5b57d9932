import { wholeBoundary } from '@recollect/contract/text';
import type { Part } from './compare-texts.js';

/** A displayed part: its text, or how many characters are left out. */
export type ShownPart = Part | { kind: 'skipped'; characters: number };

/** Characters shown of unchanged text around a change, and of a change. */
const CONTEXT = 300;
const CHANGE = 20_000;
/** Parts that are shown. */
const MOST = 2_000;

/** Leaves out the middle of long passages that did not change, and the rest of very long changes. */
export function condense(parts: readonly Part[]): ShownPart[] {
  const shown = parts.slice(0, MOST).flatMap((part, index): ShownPart[] => {
    if (part.kind !== 'same') return cut(part, CHANGE, 0);
    return cut(part, index === 0 ? 0 : CONTEXT, index === parts.length - 1 ? 0 : CONTEXT);
  });
  const rest = parts.slice(MOST).reduce((sum, { text }) => sum + text.length, 0);
  return rest === 0 ? shown : [...shown, { kind: 'skipped', characters: rest }];
}

function cut({ kind, text }: Part, head: number, tail: number): ShownPart[] {
  // Leave out only enough text to be worth its line.
  if (text.length <= head + tail + CONTEXT) return [{ kind, text }];
  const [from, to] = [wholeBoundary(text, head), wholeBoundary(text, text.length - tail)];
  const parts: ShownPart[] = [
    { kind, text: text.slice(0, from) },
    { kind: 'skipped', characters: to - from },
    { kind, text: text.slice(to) },
  ];
  return parts.filter((part) => part.kind === 'skipped' || part.text !== '');
}
