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
  const note = additions.note.trim().slice(0, limits.capture.noteLength);
  return {
    title: title.slice(0, limits.capture.titleLength),
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
    .map((tag) => tag.trim().replace(/^#/, '').slice(0, limits.capture.tagLength))
    .filter((tag) => tag !== '');
  return [...new Set(tags)].slice(0, limits.capture.tags);
}

/** Why a capture cannot be sent; null when it can. */
export function sizeProblem(capture: Capture): string | null {
  const bytes = new TextEncoder().encode(JSON.stringify({ capture })).length;
  if (bytes <= limits.body.bytes) return null;
  const megabytes = (count: number) => Math.ceil(count / 1024 / 1024);
  return `This page holds ${megabytes(bytes)} MB of text, and at most ${megabytes(limits.body.bytes)} MB can be kept as one. Select the part that matters.`;
}
