import { siteOf } from '@recollect/ui/site';
import type { Item } from '../state/library.js';
import { kindOf } from './kind-of.js';
import { Picture } from './served-image.js';
import { shownExcerpt } from './shown-excerpt.js';

/** The picture of a memory, or what its kind is known by: its words, its question, its code, or its site. */
export function Cover({ memory }: { memory: Item }) {
  const { title, url, pictureHash } = memory;
  const kind = kindOf(memory);
  const site = url === null ? '' : siteOf(url);
  if (pictureHash !== undefined)
    return (
      <span class="cover">
        <Picture memory={memory} />
      </span>
    );
  const text = shownExcerpt(memory);
  if (kind === 'page' || text === '')
    return (
      <span class={`cover site tint-${tintOf(site || title)}`} aria-hidden="true">
        {firstLetter(site || title)}
      </span>
    );
  return (
    <p class={`cover ${kind}`} dir="auto">
      <span>{text}</span>
    </p>
  );
}

/** Backgrounds of drawn covers in the style sheet. */
const TINTS = 8;

/** The background of a site, which is the same everywhere. */
function tintOf(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % TINTS;
}

/**
 * The first letter, digit or sign of a name, for a cover.
 *
 * @example
 * firstLetter('“Über” uns'); // 'Ü'
 */
export function firstLetter(name: string): string {
  const [letter = ''] = /[\p{L}\p{N}]\p{M}*/u.exec(name) ?? /\S/u.exec(name) ?? [];
  return letter.toUpperCase();
}
