import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { countWords, readTags, sliceText, wellFormed } from '@recollect/contract/text';
import type { Pictures } from '../pictures/pictures.js';
import type { Reading, ReadingMode } from '../reading.js';
import { commentsOf, textOf } from './modes.js';

export interface Additions {
  /** The title that the user typed; null for the page's title. */
  title: string | null;
  /** As typed, separated by commas. */
  tags: string;
  note: string;
}

export const NO_ADDITIONS: Additions = { title: null, tags: '', note: '' };

/** A kept draft, combined with text that was typed before the draft could be read. It may contain that text already. */
export function continueDraft(draft: Additions, typed: Additions): Additions {
  const joined = (separator: string, kept: string, added: string) =>
    kept === added || kept.endsWith(separator + added)
      ? kept
      : [kept, added].filter((part) => part.trim() !== '').join(separator);
  return {
    title: typed.title ?? draft.title,
    tags: joined(', ', draft.tags, typed.tags),
    note: joined('\n', draft.note, typed.note),
  };
}

/** Builds the capture to send, with the text of the chosen mode only. */
export function toCapture(
  reading: Reading,
  mode: ReadingMode,
  additions: Additions,
  extensionVersion: string,
): Capture {
  const { url, sourceApp, smart, messages, facts, extractor, pdf } = reading;
  const isPdf = mode === 'page' && pdf !== null;
  const ownTitle = additions.title?.trim() || null;
  const tags = readTags(additions.tags);
  const note = additions.note.trim();
  const comments = reading.keepsComments ? commentsOf(reading, mode) : [];
  return wellFormed({
    // A page's title can be of any length. A PDF contains its title.
    ...(isPdf && ownTitle === null
      ? {}
      : { title: sliceText(ownTitle ?? reading.title, 0, limits.capture.titleLength) }),
    ...(ownTitle === null ? {} : { ownTitle: true }),
    url,
    sourceApp,
    captureMode: mode === smart ? 'smart' : mode,
    ...(mode === 'conversation' ? { messages: [...(messages ?? [])] } : {}),
    ...(mode === 'selection' ? { selection: reading.selection ?? '' } : {}),
    ...(mode === 'page' ? (isPdf ? { pdf } : { pageText: textOf(reading, mode) }) : {}),
    ...(comments.length === 0 ? {} : { comments: [...comments] }),
    metadata: {
      extensionVersion,
      ...facts,
      ...(isPdf
        ? {}
        : {
            extractor: mode !== 'page' ? mode : reading.scope === 'page' ? 'page' : extractor,
            words: countWords(textOf(reading, mode)),
          }),
      ...(mode === 'conversation' ? { turns: messages?.length ?? 0 } : {}),
    },
    ...(tags.length === 0 ? {} : { tags }),
    ...(note === '' ? {} : { note }),
    capturedAt: new Date().toISOString(),
  });
}

/** Adds pictures to a capture, unless it would be too large with them. */
export function withPictures(capture: Capture, pictures: Pictures): Capture {
  const full = { ...capture, ...pictures };
  return problemOf(full) === null ? full : capture;
}

/** Why a capture cannot be sent; null when it can. */
export function problemOf(capture: Capture): string | null {
  const { tags: mostTags, tagLength, noteLength, urlLength } = limits.capture;
  const tags = capture.tags ?? [];
  if (tags.length > mostTags)
    return `There are ${tags.length} tags, but at most ${mostTags} are allowed. Remove some of them.`;
  if (tags.some((tag) => tag.length > tagLength))
    return `A tag can have at most ${tagLength} characters. Separate tags with commas.`;
  const addressLength = capture.url?.length ?? 0;
  if (addressLength > urlLength)
    return `The address of this page has ${addressLength} characters, but at most ${urlLength} can be saved. Copy what you need into a note.`;
  const length = capture.note?.length ?? 0;
  if (length > noteLength)
    return `The note has ${length} characters, but at most ${noteLength} are allowed. Shorten the note.`;
  const bytes = new TextEncoder().encode(JSON.stringify({ capture })).length;
  if (bytes <= limits.body.bytes) return null;
  const megabytes = (count: number) => Math.ceil(count / 1024 / 1024);
  return `This page has ${megabytes(bytes)} MB of text, over the limit of ${megabytes(limits.body.bytes)} MB. Select part of it.`;
}
