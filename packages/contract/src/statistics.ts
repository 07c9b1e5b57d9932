import Type, { type Static } from 'typebox';

const Counted = Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }));

/** What a user saved and read. Days and weeks are in UTC, and a week begins on Monday. */
export const Statistics = Type.Object({
  memories: Type.Integer(),
  highlights: Type.Integer(),
  /** Bytes of the texts. */
  textBytes: Type.Integer(),
  /** The latest {@link limits.statistics.weeks} weeks, oldest first. */
  weeks: Type.Array(
    Type.Object({
      /** Its Monday. */
      week: Type.String(),
      saved: Type.Integer(),
      /** Memories that were opened last in this week. */
      opened: Type.Integer(),
      /** How many of them were read to the end. */
      read: Type.Integer(),
      /** Estimated time of reading, by the length of the texts and the share that was read. */
      minutes: Type.Integer(),
    }),
  ),
  /** The latest {@link limits.statistics.months} months with memories, oldest first. */
  months: Type.Array(
    Type.Object({
      month: Type.String(),
      saved: Type.Integer(),
      /** Live memories of this month and before. */
      total: Type.Integer(),
    }),
  ),
  /** The most frequent ones. */
  sites: Counted,
  tags: Counted,
});

export type Statistics = Static<typeof Statistics>;
