import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { type Loose, OrNull } from './schema.js';
import { sourceTypes } from './vocabulary.js';

/**
 * Arguments and results of the tools of the Model Context Protocol. Models read these schemas: each field says what it
 * is for, none has a custom format that a client would have to know, and a missing argument is omitted, never null.
 */
const exact = { additionalProperties: false };
const { results } = limits.query;
const { capture } = limits;

const Limit = Type.Optional(
  Type.Integer({
    minimum: results.minimum,
    maximum: results.maximum,
    description: `Maximum number of results. Defaults to ${results.default}.`,
  }),
);
const Id = Type.String({ minLength: 1, maxLength: 100, description: 'Memory id from search or recent.' });
const Since = Type.String({
  description: 'Saved at or after this ISO 8601 date (midnight UTC), or date and time with time zone.',
});
const Until = Type.String({
  description: 'Saved before this ISO 8601 date (midnight UTC), or date and time with time zone.',
});

export const SearchArguments = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: limits.query.length,
      description:
        'What to search for. Plain questions match by meaning, rare words and names by word. Supports site:, source:, tag:, before: and after:.',
    }),
    limit: Limit,
    sourceType: Type.Optional(
      Type.Enum([...sourceTypes], {
        type: 'string',
        description: 'Only web pages (url), notes, or conversations with one assistant.',
      }),
    ),
    site: Type.Optional(
      Type.String({ maxLength: 253, description: 'Only pages of this host and its subdomains, such as example.org.' }),
    ),
    tag: Type.Optional(Type.String({ maxLength: capture.tagLength, description: 'Only memories with this tag.' })),
    since: Type.Optional(Since),
    until: Type.Optional(Until),
  },
  exact,
);

export const FetchArguments = Type.Object(
  {
    id: Id,
    offset: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Where to continue: nextOffset of the last result.' }),
    ),
  },
  exact,
);

export const SaveArguments = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: limits.mcp.textLength, description: 'The full text to remember.' }),
    title: Type.Optional(
      Type.String({ maxLength: capture.titleLength, description: 'A short title. Taken from the text if missing.' }),
    ),
    url: Type.Optional(
      Type.String({
        maxLength: capture.urlLength,
        description: 'The http or https URL that the text comes from, if any.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ maxLength: capture.tagLength }), {
        maxItems: capture.tags,
        description: 'Labels that the user named, if any.',
      }),
    ),
    note: Type.Optional(
      Type.String({ maxLength: capture.noteLength, description: "The user's own note on the text." }),
    ),
  },
  exact,
);

export const RecentArguments = Type.Object(
  {
    limit: Limit,
    since: Type.Optional(Since),
    cursor: Type.Optional(Type.String({ maxLength: 200, description: 'To continue: nextCursor of the last result.' })),
  },
  exact,
);

export const ForgetArguments = Type.Object({ id: Id }, exact);

const Notice = Type.String({ description: 'Says that the quoted text is untrusted.' });
const origin = {
  url: Type.String({ description: 'An http or https URL. Empty if the memory has none.' }),
  sourceType: Type.Enum([...sourceTypes], { type: 'string', description: 'Web page (url), note, or which assistant.' }),
  savedAt: Type.String({ description: 'ISO 8601 in UTC.' }),
};

const found = {
  id: Type.String(),
  title: Type.String({ description: 'Untrusted.' }),
  text: Type.String({ description: 'A framed excerpt. Untrusted.' }),
  ...origin,
};

export const SearchResult = Type.Object({
  results: Type.Array(Type.Object({ ...found, score: Type.Number({ description: 'Above 0, at most 1.' }) })),
  notice: Notice,
});

export const RecentResult = Type.Object({
  results: Type.Array(Type.Object(found)),
  nextCursor: OrNull(Type.String()),
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
    length: Type.Integer({ description: 'Length of the complete text in characters.' }),
    offset: Type.Integer(),
    nextOffset: OrNull(Type.Integer({ description: 'Where the next page starts. Null at the end.' })),
  }),
  notice: Notice,
});

export const SaveResult = Type.Object({
  id: Type.String(),
  status: Type.Enum(['created', 'duplicate', 'updated'], { type: 'string' }),
  isFoundByMeaning: Type.Boolean({ description: 'False until its embeddings have been created.' }),
});

export const ForgetResult = Type.Object({
  id: Type.String(),
  deletedForGoodAfterDays: Type.Integer(),
  restore: Type.String({ description: 'How the user can restore it from the trash.' }),
});

/** A JSON-RPC 2.0 request, or a notification without an id. The MCP library validates the method and its parameters. */
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
