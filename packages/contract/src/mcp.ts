import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import type { Loose } from './schema.js';
import { readStates, sourceTypes } from './vocabulary.js';

/**
 * Arguments of the tools of the Model Context Protocol. Models read these schemas: each field says what it is for, none
 * has a custom format that a client would have to know, and a missing argument is omitted, never null.
 */
const exact = { additionalProperties: false };
const { capture } = limits;

const limitOf = ({ minimum, maximum, default: usual }: { minimum: number; maximum: number; default: number }) =>
  Type.Optional(Type.Integer({ minimum, maximum, description: `Maximum number of results. Defaults to ${usual}.` }));
const Limit = limitOf(limits.query.results);
const Cursor = Type.Optional(
  Type.String({ maxLength: 200, description: 'To continue: nextCursor of the last result.' }),
);
const tagsOf = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: capture.tagLength }), { maxItems: capture.tags, description }));
const idOf = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
const Id = idOf('Memory id from search or recent.');
const Since = Type.String({
  description:
    'Saved at or after this ISO 8601 date (its midnight where the server is), or date and time with time zone.',
});
const Until = Type.String({
  description: 'Saved before this ISO 8601 date (its midnight where the server is), or date and time with time zone.',
});

const filters = {
  sourceType: Type.Optional(
    Type.Enum([...sourceTypes], {
      type: 'string',
      description: 'Only web pages (url), notes, files, or conversations with one assistant.',
    }),
  ),
  site: Type.Optional(
    Type.String({ maxLength: 253, description: 'Only pages of this host and its subdomains, such as example.org.' }),
  ),
  tag: Type.Optional(Type.String({ maxLength: capture.tagLength, description: 'Only memories with this tag.' })),
  starred: Type.Optional(Type.Boolean({ description: 'Only what the user has starred, or only other memories.' })),
  readState: Type.Optional(
    Type.Enum([...readStates], {
      type: 'string',
      description: 'Only what the user has not read, read in part, or read.',
    }),
  ),
  since: Type.Optional(Since),
  until: Type.Optional(Until),
  by: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Only what this saved: extension, bookmarklet, web, cli, mcp, plugin or http; mcp:NAME is one assistant.',
    }),
  ),
};

export const SearchArguments = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: limits.query.length,
      description:
        'What to search for. Plain questions match by meaning, rare words and names by word. Supports site:, source:, tag:, by:, before:, after:, is:starred, is:unread, is:link and is:generated.',
    }),
    limit: Limit,
    tokens: Type.Optional(
      Type.Integer({
        ...limits.mcp.passageTokens,
        description:
          'How many tokens of text to return in all. The results then carry the text around their matches, instead of short excerpts, so that fetch is rarely needed.',
      }),
    ),
    asTyped: Type.Optional(
      Type.Boolean({
        description:
          'Searches for exactly these words: no mistyped word is corrected, and words such as "last week" do not select a time.',
      }),
    ),
    ...filters,
  },
  exact,
);

export const FetchArguments = Type.Object(
  {
    id: Id,
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Where to begin: nextOffset of the last result to continue, or the offset of an excerpt.',
      }),
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
    tags: tagsOf('Labels that the user named, if any.'),
    note: Type.Optional(
      Type.String({ maxLength: capture.noteLength, description: "The user's own note on the text." }),
    ),
  },
  exact,
);

export const RecentArguments = Type.Object({ limit: Limit, ...filters, cursor: Cursor }, exact);

export const RelatedArguments = Type.Object({ id: Id, limit: limitOf(limits.memories.related) }, exact);

export const HighlightsArguments = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        maxLength: limits.query.length,
        description: 'Words that the passage or its note must contain.',
      }),
    ),
    id: Type.Optional(idOf('Only passages of the memory with this id.')),
    limit: Limit,
    cursor: Cursor,
  },
  exact,
);

export const TagsArguments = Type.Object({}, exact);

export const UpdateArguments = Type.Object(
  {
    id: Id,
    title: Type.Optional(Type.String({ maxLength: capture.titleLength, description: 'The new title.' })),
    note: Type.Optional(
      Type.String({ maxLength: capture.noteLength, description: 'Replaces the whole note. Empty removes it.' }),
    ),
    text: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.mcp.textLength, description: 'Replaces the whole text.' }),
    ),
    starred: Type.Optional(Type.Boolean({ description: 'Stars it, or removes the star.' })),
    readState: Type.Optional(
      Type.Enum([...readStates], { type: 'string', description: 'Marks it as unread, partly read or read.' }),
    ),
    addTags: tagsOf('Tags to add.'),
    removeTags: tagsOf('Tags to remove.'),
  },
  exact,
);

export const ForgetArguments = Type.Object({ id: Id }, exact);

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

export type McpMessage = Loose<Static<typeof McpMessage>>;
export type McpAnswer = Static<typeof McpAnswer>;
