import type {
  Highlight,
  HighlightBody,
  HighlightList,
  HighlightPatch,
  ReviewAnswer,
  ReviewedHighlight,
} from '@recollect/contract';
import { calendarOf } from '@recollect/contract/calendar';
import { limits } from '@recollect/contract/limits';
import { foldWord, sliceText } from '@recollect/contract/text';
import type { ReviewDecision } from '@recollect/contract/vocabulary';
import { withoutNul } from '../drafts/content.js';
import { RecollectError } from '../error.js';
import { decodeCursor, encodeCursor } from '../memories/cursor.js';
import type { CorePorts } from '../ports/core-ports.js';
import { createId } from '../text/create-id.js';
import { chooseForReview } from './choose-for-review.js';

const { contextLength } = limits.highlights;
/** Words in one search. */
const MAX_WORDS = 100;
/** Highlights among which a review is chosen: more than one memory can have. */
const MAX_REVIEWABLE = 2 * limits.highlights.perMemory;

interface ListOptions {
  /** Only highlights of this memory. */
  memoryId?: string | undefined;
  /** Words that the passage or its note contain, without regard to case and accents. */
  query?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The use cases on passages that a user marked. */
export interface Highlights {
  /** Newest first. */
  list(userId: string, options?: ListOptions): Promise<HighlightList>;
  /** Throws NOT_FOUND, or VALIDATION_FAILED for a blank passage or too many of them. */
  create(userId: string, memoryId: string, body: HighlightBody): Promise<Highlight>;
  /** Changes the note or the colour. Throws NOT_FOUND. */
  update(userId: string, id: string, patch: HighlightPatch): Promise<Highlight>;
  /** Throws NOT_FOUND. */
  remove(userId: string, id: string): Promise<void>;
  /** The highlights of other days to see again today. The day begins in the time zone, by default this machine's. */
  review(userId: string, timeZone?: string): Promise<ReviewAnswer>;
  /** Keeps or dismisses a highlight; null takes that back. Throws NOT_FOUND. */
  decide(userId: string, id: string, decision: ReviewDecision | null, timeZone?: string): Promise<ReviewedHighlight>;
}

const lastOf = (text: string) => sliceText(text, Math.max(0, text.length - contextLength), text.length);

/** Makes the use cases that keep, find and remove highlights. */
export function createHighlights({ highlights, clock }: Pick<CorePorts, 'highlights' | 'clock'>): Highlights {
  const find = async (userId: string, id: string) => {
    const highlight = await highlights.find(userId, id);
    if (highlight === null) throw unknownHighlight();
    return highlight;
  };

  return {
    async list(userId, { memoryId, query = '', limit = limits.memories.page.default, cursor } = {}) {
      const after = cursor === undefined ? null : decodeCursor(cursor);
      const words = [...new Set(foldWord(withoutNul(query)).split(/\s+/))].filter((word) => word !== '');
      if (words.length > MAX_WORDS) throw invalid('/q', `must have at most ${MAX_WORDS} different words`);
      const listed = await highlights.list(userId, {
        memoryId: memoryId ?? null,
        words,
        limit: limit + 1,
        after: after === null ? null : { createdAt: after.capturedAt, id: after.id },
      });
      const page = listed.slice(0, limit);
      const last = page.at(-1);
      return {
        highlights: page,
        nextCursor:
          listed.length > limit && last !== undefined
            ? encodeCursor({ capturedAt: last.createdAt, id: last.id })
            : null,
      };
    },

    async create(userId, memoryId, { quote, prefix, suffix, note, colour = 'yellow' }) {
      const now = clock.now();
      const clean = withoutNul(quote);
      const passage = clean.trim();
      if (passage === '') throw invalid('/quote', 'must have at least one character that is not white space');
      const at = now.toISOString();
      const cleanNote = noteOf(note);
      const stored = {
        id: createId(now),
        memoryId,
        quote: passage,
        // Text trimmed from the passage belongs to the text around it, or the three would not be found together.
        prefix: lastOf(withoutNul(prefix ?? '') + clean.slice(0, clean.length - clean.trimStart().length)),
        suffix: sliceText(clean.slice(clean.trimEnd().length) + withoutNul(suffix ?? ''), 0, contextLength),
        note: cleanNote,
        colour,
        folded: foldHighlight(passage, cleanNote),
        createdAt: at,
        updatedAt: at,
      };
      const outcome = await highlights.insert(userId, stored, limits.highlights.perMemory);
      if (outcome === 'unknown') throw new RecollectError('NOT_FOUND', 'There is no memory with this id.');
      if (outcome === 'full')
        throw new RecollectError(
          'VALIDATION_FAILED',
          `A memory can have at most ${limits.highlights.perMemory} highlights.`,
        );
      return find(userId, stored.id);
    },

    async update(userId, id, { note, colour }) {
      const { quote } = await find(userId, id);
      const cleanNote = noteOf(note);
      const change = {
        ...(note === undefined ? {} : { note: cleanNote, folded: foldHighlight(quote, cleanNote) }),
        ...(colour === undefined ? {} : { colour }),
        now: clock.now().toISOString(),
      };
      if (!(await highlights.update(userId, id, change))) throw unknownHighlight();
      return find(userId, id);
    },

    async remove(userId, id) {
      if (!(await highlights.remove(userId, id))) throw unknownHighlight();
    },

    async review(userId, timeZone) {
      const since = startOfDay(clock.now(), timeZone);
      const reviewable = await highlights.reviewable(userId, since, MAX_REVIEWABLE);
      const chosen = chooseForReview(reviewable, limits.highlights.review);
      const read = await Promise.all(chosen.map(({ id }) => highlights.find(userId, id)));
      // One may have been deleted since the order was read.
      return { highlights: read.filter((highlight) => highlight !== null).map((it) => withDecision(it, since)) };
    },

    async decide(userId, id, decision, timeZone) {
      const now = clock.now();
      const since = startOfDay(now, timeZone);
      if (!(await highlights.review(userId, id, { decision, since, now: now.toISOString() }))) throw unknownHighlight();
      return withDecision(await find(userId, id), since);
    },
  };
}

function startOfDay(now: Date, timeZone: string | undefined): string {
  const calendar = calendarOf(timeZone);
  const today = calendar.at(now);
  return new Date(calendar.startOf(today.getFullYear(), today.getMonth(), today.getDate())).toISOString();
}

function withDecision(highlight: Highlight, since: string): ReviewedHighlight {
  const isDecided = highlight.reviewedAt !== null && highlight.reviewedAt >= since;
  return { ...highlight, decision: isDecided ? (highlight.dismissed ? 'dismiss' : 'keep') : null };
}

function noteOf(note: string | null | undefined): string | null {
  return withoutNul(note ?? '').trim() || null;
}

function unknownHighlight(): RecollectError {
  return new RecollectError('NOT_FOUND', 'There is no highlight with this id.');
}

function invalid(pointer: string, message: string): RecollectError {
  return new RecollectError('VALIDATION_FAILED', `${pointer.slice(1)} ${message}.`, { errors: [{ pointer, message }] });
}

/** A passage and its note in the form that is searched: without case and accents. */
export function foldHighlight(quote: string, note: string | null): string {
  return foldWord(`${quote}\n${note ?? ''}`);
}
