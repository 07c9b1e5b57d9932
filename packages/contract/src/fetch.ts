import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { type Loose, OrNull } from './schema.js';

/** Selects links by ids, or by operators. Without either, all links without a page. */
export const FetchBody = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: limits.fetches.ids })),
    filter: Type.Optional(
      Type.String({ maxLength: limits.query.length, description: 'Operators, such as tag:recipe. They narrow links.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.fetches.links })),
  },
  { additionalProperties: false },
);

/** What became of a link. */
export const fetchOutcomes = ['fetched', 'gone', 'failed', 'left'] as const;

export const FetchOutcome = Type.Object({
  id: Type.String({ description: 'The link.' }),
  title: Type.String(),
  url: Type.String(),
  outcome: Type.Enum([...fetchOutcomes]),
  reason: OrNull(Type.String({ description: 'Why its page was not saved. Null if it was.' })),
  memoryId: OrNull(Type.String({ description: 'The memory with the page.' })),
});

export const fetchStates = ['running', 'paused', 'done', 'stopped', 'failed'] as const;

export const FetchRun = Type.Object({
  id: Type.String(),
  state: Type.Enum([...fetchStates]),
  startedAt: Type.String(),
  total: Type.Integer({ description: 'Links that were selected.' }),
  fetched: Type.Integer(),
  gone: Type.Integer({ description: 'Links whose pages no longer exist. They get the tag dead-link.' }),
  failed: Type.Integer(),
  left: Type.Integer({ description: 'Links that were not asked for: their site wants fewer requests or was silent.' }),
  outcomes: Type.Array(FetchOutcome, { description: 'The latest outcomes, newest first.' }),
  problem: OrNull(Type.Object({ code: Type.String(), detail: Type.String() })),
});

export const FetchList = Type.Object({ fetches: Type.Array(FetchRun) });
export const FetchParameters = Type.Object({ id: Type.String() });
export const FetchPatch = Type.Object(
  { state: Type.Enum(['running', 'paused', 'stopped']) },
  { additionalProperties: false },
);

export type FetchBody = Loose<Static<typeof FetchBody>>;
export type FetchOutcome = Static<typeof FetchOutcome>;
export type FetchRun = Static<typeof FetchRun>;
export type FetchList = Static<typeof FetchList>;
export type FetchPatch = Static<typeof FetchPatch>;
