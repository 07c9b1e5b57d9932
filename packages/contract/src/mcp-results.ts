import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { Correction, Suggestion, TimeRange } from './query.js';
import { OrNull } from './schema.js';
import { clients, readStates, recordedFields, sourceTypes } from './vocabulary.js';

/** Results of the tools of the Model Context Protocol. Models also read these schemas. */
const Notice = Type.String({ description: 'Says that the quoted text is untrusted.' });
const origin = {
  url: Type.String({ description: 'An http or https URL. Empty if the memory has none.' }),
  sourceType: Type.Enum([...sourceTypes], {
    type: 'string',
    description: 'Web page (url), note, file, or which assistant.',
  }),
  savedAt: Type.String({ description: 'ISO 8601 in UTC.' }),
};

const foundMemory = {
  id: Type.String(),
  title: Type.String({ description: 'Untrusted.' }),
  text: Type.String({ description: 'A framed excerpt. Untrusted.' }),
  ...origin,
};

export const SearchResult = Type.Object({
  corrected: Type.Optional(Correction),
  suggestion: Type.Optional(Suggestion),
  interpreted: Type.Optional(TimeRange),
  results: Type.Array(
    Type.Object({
      ...foundMemory,
      sections: Type.Array(Type.String(), {
        description: 'The headings that the excerpt stands under, outermost first. Untrusted.',
      }),
      offset: Type.Integer({
        description: 'Where the excerpt begins in the text, in UTF-16 code units. fetch takes it as its offset.',
      }),
      score: Type.Number({
        description: `How likely it answers the query, above 0, at most 1. Below ${limits.query.likelyScore} it may have nothing to do with it.`,
      }),
      versions: Type.Integer({
        description: 'How many texts of the same page are saved. This is the best match; fetch names the others.',
      }),
      similar: Type.Array(Type.Object({ id: Type.String(), capturedAt: Type.String() }), {
        description: 'Memories with nearly the same text, and versions of the page, for which it stands.',
      }),
    }),
  ),
  notice: Notice,
});

export const RecentResult = Type.Object({
  results: Type.Array(Type.Object(foundMemory)),
  nextCursor: OrNull(Type.String()),
  notice: Notice,
});

export const RelatedResult = Type.Object({
  results: Type.Array(
    Type.Object({ ...foundMemory, similarity: Type.Number({ description: 'Of the meanings: 1 is the same.' }) }),
    { description: 'Most similar first.' },
  ),
  notice: Notice,
});

export const HighlightsResult = Type.Object({
  results: Type.Array(
    Type.Object({
      memoryId: Type.String({ description: 'For fetch.' }),
      title: foundMemory.title,
      text: Type.String({ description: "The passage and the user's note on it, framed. Untrusted." }),
      markedAt: origin.savedAt,
    }),
  ),
  nextCursor: OrNull(Type.String()),
  notice: Notice,
});

export const TagsResult = Type.Object({
  tags: Type.Array(Type.Object({ tag: Type.String({ description: 'Untrusted.' }), memories: Type.Integer() })),
  total: Type.Integer({ description: 'Number of all tags; the list has the most frequent.' }),
  notice: Notice,
});

export const FetchResult = Type.Object({
  id: Type.String(),
  title: Type.String({ description: 'Untrusted.' }),
  text: Type.String({ description: 'The text from offset on, framed. Untrusted.' }),
  url: origin.url,
  metadata: Type.Object({
    sourceType: origin.sourceType,
    savedAt: origin.savedAt,
    tags: Type.Array(Type.String(), { description: 'Untrusted.' }),
    starred: Type.Boolean(),
    readState: Type.Enum([...readStates], { type: 'string', description: 'Whether the user has read it.' }),
    length: Type.Integer({ description: 'Length of the complete text in characters.' }),
    offset: Type.Integer(),
    nextOffset: OrNull(Type.Integer({ description: 'Where the next page starts. Null at the end.' })),
    damaged: Type.Boolean({ description: 'Whether the disk has changed part of the text.' }),
    warning: OrNull(Type.String({ description: 'That the disk has damaged the memory. Null if it is intact.' })),
    newerVersion: OrNull(
      Type.Object(
        { id: Type.String(), savedAt: origin.savedAt },
        { description: 'The newest saved text of the same page.' },
      ),
    ),
    savedBy: OrNull(
      Type.Object({
        client: Type.Enum([...clients], { type: 'string' }),
        name: OrNull(Type.String({ description: 'The assistant or plugin, as it names itself. Untrusted.' })),
      }),
    ),
    otherCaptures: Type.Array(Type.Object({ id: Type.String(), savedAt: origin.savedAt }), {
      description: 'Other memories of the same URL, newest first.',
    }),
  }),
  notice: Notice,
});

export const SaveResult = Type.Object({
  id: Type.String(),
  status: Type.Enum(['created', 'duplicate', 'updated'], { type: 'string' }),
  isFoundByMeaning: Type.Boolean({ description: 'False until its embeddings have been created.' }),
});

export const UpdateResult = Type.Object({
  id: Type.String(),
  changed: Type.Array(Type.Enum([...recordedFields], { type: 'string' }), {
    description: 'Fields with a new value. Empty if they had it already.',
  }),
  restore: OrNull(Type.String({ description: 'How the user can restore the former values. Null if nothing changed.' })),
});

export const ForgetResult = Type.Object({
  id: Type.String(),
  deletedForGoodAfterDays: Type.Integer(),
  restore: Type.String({ description: 'How the user can restore it from the trash.' }),
});

export type SearchResult = Static<typeof SearchResult>;
export type RecentResult = Static<typeof RecentResult>;
export type RelatedResult = Static<typeof RelatedResult>;
export type HighlightsResult = Static<typeof HighlightsResult>;
export type TagsResult = Static<typeof TagsResult>;
export type FetchResult = Static<typeof FetchResult>;
export type SaveResult = Static<typeof SaveResult>;
export type UpdateResult = Static<typeof UpdateResult>;
export type ForgetResult = Static<typeof ForgetResult>;
