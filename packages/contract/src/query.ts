import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { Instant, type Loose, Maybe, OrNull } from './schema.js';
import { sourceTypes } from './vocabulary.js';

const { length, results } = limits.query;

/** The filters of QRY-8, shared by query and list. */
export const filterFields = {
  sourceType: Maybe(Type.Enum([...sourceTypes])),
  site: Maybe(Type.String({ maxLength: 253, description: 'Host name. Includes its subdomains.' })),
  tag: Maybe(Type.String({ maxLength: limits.capture.tagLength })),
  since: Maybe(Instant),
  until: Maybe(Instant),
  by: Maybe(
    Type.String({
      maxLength: 200,
      description:
        'Who saved it: extension, bookmarklet, web, cli, mcp, plugin or http; mcp:NAME is one assistant, mcp: those without a name, key:NAME an API key.',
    }),
  ),
};

const Limit = Type.Integer({ minimum: results.minimum, maximum: results.maximum });

const QueryFields = Type.Object({
  query: Maybe(Type.String({ maxLength: length })),
  limit: Maybe(Limit),
  ...filterFields,
});

export const QueryBody = Type.Union([QueryFields, Type.Null()]);

export const QueryParameters = Type.Object({
  q: Type.Optional(Type.String({ maxLength: length })),
  limit: Type.Optional(Limit),
  ...filterFields,
});

export const QueryResult = Type.Object({
  id: Type.String(),
  title: Type.String(),
  sourceType: Type.Enum([...sourceTypes]),
  excerpt: Type.String(),
  url: OrNull(Type.String()),
  score: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  tags: Type.Array(Type.String()),
  capturedAt: Type.String(),
  /** Why it was found: the shares of the score that come from words and from meaning. Both are 0 without words. */
  match: Type.Object({ text: Type.Number(), meaning: Type.Number() }),
});

export const QueryAnswer = Type.Object({ query: Type.String(), results: Type.Array(QueryResult) });

export type QueryFields = Loose<Static<typeof QueryFields>>;
export type QueryResult = Static<typeof QueryResult>;
export type QueryAnswer = Static<typeof QueryAnswer>;
