import Type, { type Static } from 'typebox';
import { listFilterFields } from './query.js';
import { OrNull } from './schema.js';
import { clients } from './vocabulary.js';

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

export type CountsAnswer = Static<typeof CountsAnswer>;
