import Type, { type Static } from 'typebox';

/** Server-Sent Events. The id of each event is a position in the change sequence. */
export const EventsAnswer = Type.Unsafe<never>(Type.String({ description: 'A stream of events: changed, reset.' }));

/** The data of a `changed` event: memories whose text, title, tags, note, highlights or place in the trash changed. */
export const ChangedEvent = Type.Object({ memoryIds: Type.Array(Type.String()) });

export type ChangedEvent = Static<typeof ChangedEvent>;
