import Type, { type Static } from 'typebox';
import { OrNull } from './schema.js';

const counted = {
  /** Questions that were asked. */
  queries: Type.Integer(),
  /** Questions whose memory was the first result. */
  first: Type.Integer(),
  /** Questions whose memory was among the first ten results. */
  inTen: Type.Integer(),
};

/** How well search finds memories by their known facts. */
export const SearchTest = Type.Object({
  /** The model that was used; null if there is none. */
  model: OrNull(Type.String()),
  ...counted,
  kinds: Type.Array(
    Type.Object({
      kind: Type.Enum(['titles', 'sentences', 'highlights']),
      ...counted,
      missed: Type.Array(Type.Object({ query: Type.String(), id: Type.String(), title: Type.String() }), {
        description: 'The first questions whose memory was not among the first ten results.',
      }),
    }),
    { description: 'By the source of the questions. Leaves out a source that the store does not have.' },
  ),
});

export type SearchTest = Static<typeof SearchTest>;
