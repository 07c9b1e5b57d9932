import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { Reading, ReadingMode } from '../reading.js';
import { countWords } from '../words.js';
import { textOf } from './modes.js';

export interface Additions {
  /** As typed, separated by commas. */
  tags: string;
  note: string;
}

/** What is sent for a reading: the text of the mode, and no other. */
export function toCapture(
  reading: Reading,
  mode: ReadingMode,
  additions: Additions,
  extensionVersion: string,
): Capture {
  const { url, title, sourceApp, smart, messages, facts, extractor } = reading;
  const tags = tagsOf(additions.tags);
  const note = additions.note.trim();
  return {
    // A page may have a title of any length; the half of a character would be refused.
    title: title.slice(0, limits.capture.titleLength).toWellFormed(),
    url,
    sourceApp,
    captureMode: mode === smart ? 'smart' : mode,
    ...(mode === 'conversation' ? { messages: [...(messages ?? [])] } : {}),
    ...(mode === 'selection' ? { selection: reading.selection ?? '' } : {}),
    ...(mode === 'page' ? { pageText: reading.pageText ?? '' } : {}),
    metadata: {
      extensionVersion,
      ...facts,
      extractor: mode === 'page' ? extractor : mode,
      words: countWords(textOf(reading, mode)),
      ...(mode === 'conversation' ? { turns: messages?.length ?? 0 } : {}),
    },
    ...(tags.length === 0 ? {} : { tags }),
    ...(note === '' ? {} : { note }),
    capturedAt: new Date().toISOString(),
  };
}

function tagsOf(typed: string): string[] {
  const tags = typed
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '');
  return [...new Set(tags)];
}

/** Why a capture cannot be sent; null when it can. */
export function problemOf(capture: Capture): string | null {
  const { tags: mostTags, tagLength, noteLength } = limits.capture;
  const tags = capture.tags ?? [];
  if (tags.length > mostTags)
    return `There are ${tags.length} tags, and at most ${mostTags} can be kept. Leave some out.`;
  if (tags.some((tag) => tag.length > tagLength))
    return `A tag has at most ${tagLength} characters. Tags are separated by commas.`;
  const length = capture.note?.length ?? 0;
  if (length > noteLength)
    return `The note has ${length} characters, and at most ${noteLength} can be kept. Shorten it.`;
  const bytes = new TextEncoder().encode(JSON.stringify({ capture })).length;
  if (bytes <= limits.body.bytes) return null;
  const megabytes = (count: number) => Math.ceil(count / 1024 / 1024);
  return `This page holds ${megabytes(bytes)} MB of text, and at most ${megabytes(limits.body.bytes)} MB can be kept as one. Select the part that matters.`;
}
