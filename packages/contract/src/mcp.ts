import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { type Loose, OrNull } from './schema.js';
import { sourceTypes } from './vocabulary.js';

/**
 * What the tools of the Model Context Protocol take and give. These are read by models: each field says what it is for,
 * none has a format of our own that a client would have to know, and what is left out is left out, never null.
 */
const exact = { additionalProperties: false };
const { results } = limits.query;
const { capture } = limits;

const Limit = Type.Optional(
  Type.Integer({
    minimum: results.minimum,
    maximum: results.maximum,
    description: `how many; ${results.default} when missing`,
  }),
);
const Id = Type.String({ minLength: 1, maxLength: 100, description: 'id of a memory, as search or recent gave it' });
const Since = Type.String({
  description: 'saved at or after this ISO 8601 date (midnight UTC), or date and time with its zone',
});
const Until = Type.String({
  description: 'saved before this ISO 8601 date (midnight UTC), or date and time with its zone',
});

export const SearchArguments = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: limits.query.length,
      description:
        'what to look for: a question in plain words finds by meaning, rare words and names find by word; site:, source:, tag:, before: and after: may stand in it',
    }),
    limit: Limit,
    sourceType: Type.Optional(
      Type.Enum([...sourceTypes], {
        type: 'string',
        description: 'only web pages (url), notes, or conversations with one assistant',
      }),
    ),
    site: Type.Optional(
      Type.String({ maxLength: 253, description: 'only pages of this host and its subdomains, such as example.org' }),
    ),
    tag: Type.Optional(Type.String({ maxLength: capture.tagLength, description: 'only memories with this tag' })),
    since: Type.Optional(Since),
    until: Type.Optional(Until),
  },
  exact,
);

export const FetchArguments = Type.Object(
  {
    id: Id,
    offset: Type.Optional(
      Type.Integer({ minimum: 0, description: 'where to go on in a long text: nextOffset of the answer before' }),
    ),
  },
  exact,
);

export const SaveArguments = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: limits.mcp.textLength, description: 'what to remember, whole' }),
    title: Type.Optional(
      Type.String({ maxLength: capture.titleLength, description: 'a short title; taken from the text when missing' }),
    ),
    url: Type.Optional(
      Type.String({
        maxLength: capture.urlLength,
        description: 'http or https address that the text is from, if it is from one',
      }),
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ maxLength: capture.tagLength }), {
        maxItems: capture.tags,
        description: 'labels of the user, if they named any',
      }),
    ),
    note: Type.Optional(
      Type.String({ maxLength: capture.noteLength, description: "the user's own remark on the text" }),
    ),
  },
  exact,
);

export const RecentArguments = Type.Object(
  {
    limit: Limit,
    since: Type.Optional(Since),
    cursor: Type.Optional(Type.String({ maxLength: 200, description: 'to go on: nextCursor of the answer before' })),
  },
  exact,
);

export const ForgetArguments = Type.Object({ id: Id }, exact);

const Notice = Type.String({ description: 'says that what is quoted here is untrusted' });
const origin = {
  url: Type.String({ description: 'http or https; empty where the memory has no address' }),
  sourceType: Type.Enum([...sourceTypes], { type: 'string', description: 'web page (url), note, or which assistant' }),
  savedAt: Type.String({ description: 'ISO 8601 in UTC' }),
};

const found = {
  id: Type.String(),
  title: Type.String({ description: 'untrusted' }),
  text: Type.String({ description: 'an excerpt in a frame; untrusted' }),
  ...origin,
};

export const SearchResult = Type.Object({
  results: Type.Array(Type.Object({ ...found, score: Type.Number({ description: 'above 0, at most 1' }) })),
  notice: Notice,
});

export const RecentResult = Type.Object({
  results: Type.Array(Type.Object(found)),
  nextCursor: OrNull(Type.String()),
  notice: Notice,
});

export const FetchResult = Type.Object({
  id: Type.String(),
  title: Type.String({ description: 'untrusted' }),
  text: Type.String({ description: 'the text from offset on, in a frame; untrusted' }),
  url: origin.url,
  metadata: Type.Object({
    sourceType: origin.sourceType,
    savedAt: origin.savedAt,
    tags: Type.Array(Type.String(), { description: 'untrusted' }),
    length: Type.Integer({ description: 'characters of the whole text' }),
    offset: Type.Integer(),
    nextOffset: OrNull(Type.Integer({ description: 'where the next page begins; null at the end' })),
  }),
  notice: Notice,
});

export const SaveResult = Type.Object({
  id: Type.String(),
  status: Type.Enum(['created', 'duplicate', 'updated'], { type: 'string' }),
  isFoundByMeaning: Type.Boolean({ description: 'false while its embeddings are still to be made' }),
});

export const ForgetResult = Type.Object({
  id: Type.String(),
  deletedForGoodAfterDays: Type.Integer(),
  restore: Type.String({ description: 'how the user takes it out of the trash again' }),
});

/** A request or, without an id, a notification of JSON-RPC 2.0. What its method asks for is judged by the protocol's library. */
export const McpMessage = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  method: Type.String(),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export const McpAnswer = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
  result: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  error: Type.Optional(
    Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
  ),
});

export type SearchResult = Static<typeof SearchResult>;
export type RecentResult = Static<typeof RecentResult>;
export type FetchResult = Static<typeof FetchResult>;
export type SaveResult = Static<typeof SaveResult>;
export type ForgetResult = Static<typeof ForgetResult>;
export type McpMessage = Loose<Static<typeof McpMessage>>;
export type McpAnswer = Static<typeof McpAnswer>;
