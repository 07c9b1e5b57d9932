import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { clipText, uniqueTags } from '@recollect/contract/text';
import { mergeNotes } from '../drafts/merge-capture.js';
import type { ExportedItem } from '../ports/index.js';
import { urlKey } from '../text/url-key.js';

const { capture: most } = limits;

/** The texts of a link that two entries share. */
export type LinkTexts = Pick<Capture, 'title' | 'pageText' | 'note'>;

/**
 * Merges the links to the same address into the first of them, with the words of all titles, all tags and notes, and
 * the earliest time. Returns other items unchanged.
 */
export function mergeLinks(items: readonly ExportedItem[]): ExportedItem[] {
  const merged: ExportedItem[] = [];
  const places = new Map<string, number>();
  for (const item of items) {
    const key = item.isLink ? keyOf(item.capture.url) : null;
    const place = key === null ? undefined : places.get(key);
    const first = place === undefined ? undefined : merged[place];
    if (place !== undefined && first !== undefined) merged[place] = mergeTwo(first, item);
    else {
      if (key !== null) places.set(key, merged.length);
      merged.push(item);
    }
  }
  return merged;
}

/** The whole address where its fragment may name the page. */
function keyOf(url: string | null | undefined): string | null {
  return url == null || url.includes('#') ? (url ?? null) : urlKey(url);
}

/** Whether two addresses lead to the same page. */
export function isSameLink(one: string | null | undefined, other: string | null | undefined): boolean {
  return keyOf(one) !== null && keyOf(one) === keyOf(other);
}

function mergeTwo(first: ExportedItem, second: ExportedItem): ExportedItem {
  const [firstCapture, secondCapture] = [first.capture, second.capture];
  const times = [firstCapture.capturedAt, secondCapture.capturedAt].filter((time) => time != null).sort();
  const isRead = first.isRead === true && second.isRead === true;
  return {
    ...first,
    capture: {
      ...firstCapture,
      ...mergeTexts(firstCapture, secondCapture),
      tags: uniqueTags([...(firstCapture.tags ?? []), ...(secondCapture.tags ?? [])]).slice(0, most.tags),
      metadata: { ...secondCapture.metadata, ...firstCapture.metadata },
      capturedAt: times[0],
    },
    ...(second.place !== undefined && first.place === undefined ? { place: second.place } : {}),
    isStarred: first.isStarred === true || second.isStarred === true,
    isRead,
    isReading: !isRead && [first, second].some((item) => item.isRead === true || item.isReading === true),
  };
}

/**
 * Merges the texts of two links to the same address: one title with the words of both, which begins the text, and the
 * paragraphs and notes of both.
 */
export function mergeTexts(one: LinkTexts, other: LinkTexts): LinkTexts {
  const titles = [one, other].map((link) => link.title ?? '');
  const [first = '', second = ''] = titles;
  const title = clipText(mergeTitles(first, second), most.titleLength);
  const paragraphs = [one, other].flatMap(({ pageText }) => (pageText ?? '').split('\n\n'));
  const described = new Set(paragraphs.filter((part) => part !== '' && part !== title && !titles.includes(part)));
  const note = mergeShort(one.note ?? null, other.note ?? null);
  return {
    title,
    pageText: [title, ...described].join('\n\n'),
    ...(note === null ? {} : { note }),
  };
}

/** Both notes, cut where they are too long. */
function mergeShort(one: string | null, other: string | null): string | null {
  const room = most.noteLength - (one?.length ?? 0) - GAP.length;
  return mergeNotes(
    one,
    other !== null && one !== null && other.length > room ? clipText(other, Math.max(0, room)) || null : other,
  );
}

const GAP = '\n\n';

/** The title that has the words of the other; otherwise both. An address says nothing beside a title. */
function mergeTitles(first: string, second: string): string {
  if (hasWords(first, second) || /^https?:\/\/\S*$/.test(second)) return first;
  return hasWords(second, first) || /^https?:\/\/\S*$/.test(first) ? second : `${first} · ${second}`;
}

function hasWords(title: string, other: string): boolean {
  const words = new Set(wordsOf(title));
  return wordsOf(other).every((word) => words.has(word));
}

function wordsOf(title: string): string[] {
  return title.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
