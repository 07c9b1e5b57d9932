import type { Static } from 'typebox';
import Type from 'typebox';
import { pictureFields } from './capture.js';
import { limits } from './limits.js';
import { Instant, type Loose, Maybe, OrNull, Warnings } from './schema.js';
import { clients, places, readStates, sourceTypes } from './vocabulary.js';

const { length, results, likelyScore } = limits.query;

/** The time zone of the dates and times of a request. */
export const timeZoneField = {
  timeZone: Maybe(
    Type.String({
      maxLength: 100,
      description: "The user's time zone, such as Europe/Berlin, in which days begin; by default the server's.",
    }),
  ),
};

/** The filters of QRY-8, shared by query and list. */
export const filterFields = {
  sourceType: Maybe(Type.Enum([...sourceTypes])),
  site: Maybe(Type.String({ maxLength: 253, description: 'Host name. Includes its subdomains.' })),
  tag: Maybe(Type.String({ maxLength: limits.capture.tagLength, description: 'Includes the tags below it.' })),
  since: Maybe(Instant),
  until: Maybe(Instant),
  starred: Maybe(Type.Boolean({ description: 'Only starred ones, or only others.' })),
  readState: Maybe(Type.Enum([...readStates], { description: 'Only unread, partly read or read ones.' })),
  place: Maybe(Type.Enum([...places], { description: 'Only those in the inbox, kept for later, or in the archive.' })),
  by: Maybe(
    Type.String({
      maxLength: 200,
      description:
        'Who saved it: extension, bookmarklet, web, cli, mcp, plugin or http; mcp:NAME is one assistant, mcp: those without a name, key:NAME an API key.',
    }),
  ),
};

/** The filters where a request has no query of words (QRY-8). */
export const listFilterFields = {
  filter: Type.Optional(
    Type.String({
      maxLength: length,
      description:
        'Operators as in a query, such as tag:recipe site:a.org site:b.org. Of several sites, sources, clients, read states or places, a memory needs one; of several tags, all.',
    }),
  ),
  ...filterFields,
  ...timeZoneField,
};

const Limit = Type.Integer({ minimum: results.minimum, maximum: results.maximum });

const MinScore = Type.Number({
  minimum: 0,
  maximum: 1,
  description: `Leaves out results with a lower score. Below ${likelyScore}, results are unlikely to answer the query.`,
});

const AsTyped = Type.Boolean({
  description:
    'Searches for the words as they were typed: none is corrected, and words such as "last week" do not select a time.',
});

const Prefix = Type.Boolean({
  description:
    'Whether the last word may be the beginning of a longer one, as while somebody types; true by default. With false, a word that the model knows is complete.',
});

const Careful = Type.Boolean({
  description:
    'Has a second model judge the ten best results of a short query, which takes up to 1.5 s longer. `careful` of the answer says whether it decided their order.',
});

const QueryFields = Type.Object({
  query: Maybe(Type.String({ maxLength: length })),
  limit: Maybe(Limit),
  minScore: Maybe(MinScore),
  asTyped: Maybe(AsTyped),
  prefix: Maybe(Prefix),
  careful: Maybe(Careful),
  ...filterFields,
  ...timeZoneField,
});

export const QueryBody = Type.Union([QueryFields, Type.Null()]);

export const QueryParameters = Type.Object({
  q: Type.Optional(Type.String({ maxLength: length })),
  limit: Type.Optional(Limit),
  minScore: Type.Optional(MinScore),
  asTyped: Type.Optional(AsTyped),
  prefix: Type.Optional(Prefix),
  careful: Type.Optional(Careful),
  ...filterFields,
  ...timeZoneField,
});

export const QueryResult = Type.Object({
  id: Type.String(),
  title: Type.String(),
  sourceType: Type.Enum([...sourceTypes]),
  excerpt: Type.String(),
  url: OrNull(Type.String()),
  /** How likely it answers the query; means the same for every query. */
  score: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  tags: Type.Array(Type.String()),
  capturedAt: Type.String(),
  starred: Type.Boolean(),
  readState: Type.Enum([...readStates]),
  place: Type.Enum([...places]),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'How much of the text has been read.' }),
  minutes: Type.Integer({ minimum: 0, description: 'About how long it takes to read; 0 for less than a minute.' }),
  generatedBy: OrNull(Type.String({ description: 'The plugin that wrote it. Null for what someone saved.' })),
  ...pictureFields,
  match: Type.Object(
    {
      text: Type.Number(),
      meaning: Type.Number(),
      terms: Type.Array(Type.String(), {
        description: 'The words of the query that the passage or the title has, in lower case and without accents.',
      }),
      passage: Type.Object(
        { start: Type.Integer(), end: Type.Integer() },
        { description: 'The range of the matching passage in the text, in UTF-16 code units.' },
      ),
      comment: Type.Optional(
        Type.Object(
          { author: Type.String() },
          { description: 'The comment below the page that the excerpt is from. The passage is then empty.' },
        ),
      ),
    },
    {
      description:
        'Why it was found. text and meaning are the shares of its rank that come from words and from meaning.',
    },
  ),
  /** Number of saved texts of the same page. The result is the best of them, or a newer one about as good. */
  versions: Type.Integer(),
  similar: Type.Array(Type.Object({ id: Type.String(), capturedAt: Type.String() }), {
    description:
      'Worse results that are left out, because they are versions of the same page, or have nearly the same text.',
  }),
});

export const Correction = Type.Object(
  { from: Type.String(), to: Type.String() },
  {
    description:
      'The words of the query that no text has, as they were typed, and those that were searched for instead. Several are separated by spaces.',
  },
);

export const Suggestion = Type.Object(
  { from: Type.String(), to: Type.String() },
  {
    description:
      'Words of the query that no text has, and the nearest ones that were perhaps meant. The words as typed were searched for. Several are separated by spaces.',
  },
);

export const TimeRange = Type.Object(
  { after: Type.String(), before: Type.String() },
  {
    description:
      'The time that the query names, such as "last week". Only memories saved from `after` on and earlier than `before` were searched.',
  },
);

export const QueryAnswer = Type.Object({
  query: Type.String(),
  corrected: Type.Optional(Correction),
  suggestion: Type.Optional(Suggestion),
  interpreted: Type.Optional(TimeRange),
  /**
   * Present if careful search decided the order of the best results. If it was asked for and did not, a warning says
   * why.
   */
  careful: Type.Optional(Type.Literal(true)),
  results: Type.Array(QueryResult),
  warnings: Type.Optional(Warnings),
});

export type QueryFields = Loose<Static<typeof QueryFields>>;
export type TimeRange = Static<typeof TimeRange>;
export type Correction = Static<typeof Correction>;
export type Suggestion = Static<typeof Suggestion>;
export type QueryResult = Static<typeof QueryResult>;
export type QueryAnswer = Static<typeof QueryAnswer>;

const Count = Type.Object({ value: Type.String(), count: Type.Integer() });

export const CountsParameters = Type.Object(listFilterFields);

/**
 * How many memories match, by each of their facts. Values without a memory are left out. Of a fact that has one value a
 * memory, and is filtered by, the other values are counted too, as if they had been chosen instead.
 */
export const CountsAnswer = Type.Object({
  total: Type.Integer(),
  sourceTypes: Type.Array(Count),
  sites: Type.Array(Count),
  tags: Type.Array(Count),
  /** Such as 2026-01, newest first. */
  months: Type.Array(Count),
  /** API keys by their names, or first characters. */
  keys: Type.Array(Count),
  clients: Type.Array(
    Type.Object({ client: Type.Enum([...clients]), name: OrNull(Type.String()), count: Type.Integer() }),
  ),
});

/** How many memories are in each place, for a navigation. */
export const PlaceCounts = Type.Object({ inbox: Type.Integer(), later: Type.Integer(), archive: Type.Integer() });

export type PlaceCounts = Static<typeof PlaceCounts>;
export type CountsAnswer = Static<typeof CountsAnswer>;
