import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { timeZoneField } from './query.js';
import { type Loose, Maybe, OrNull } from './schema.js';
import { highlightColours, reviewDecisions, sourceTypes } from './vocabulary.js';

const { quoteLength, contextLength, noteLength } = limits.highlights;
const { page } = limits.memories;
const Quote = Type.String({ minLength: 1, maxLength: quoteLength });
const Context = Type.String({ maxLength: contextLength });
const Note = Type.String({ maxLength: noteLength });
const Colour = Type.Enum([...highlightColours]);

/**
 * A passage that the user marked, as a text quote of the Web Annotation data model (W3C): it is found again by its
 * words and, if they occur more than once, by the text around them.
 */
export const Highlight = Type.Object({
  id: Type.String(),
  memoryId: Type.String(),
  /** Title, address and source of the memory. */
  title: Type.String(),
  url: OrNull(Type.String()),
  sourceType: Type.Enum([...sourceTypes]),
  quote: Type.String(),
  prefix: Type.String(),
  suffix: Type.String(),
  note: OrNull(Type.String()),
  colour: Colour,
  reviewedAt: OrNull(Type.String({ description: 'When the user last decided on it in the review.' })),
  dismissed: Type.Boolean({ description: 'Whether the review offers it no more.' }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

const Decision = OrNull(Type.Enum([...reviewDecisions]));

/** A highlight of today's review, with what the user has decided on it today. */
export const ReviewedHighlight = Type.Object({ ...Highlight.properties, decision: Decision });

/** A highlight as a key without `memory:read` sees it. */
export const HighlightState = Type.Object({
  id: Highlight.properties.id,
  memoryId: Highlight.properties.memoryId,
  createdAt: Highlight.properties.createdAt,
  updatedAt: Highlight.properties.updatedAt,
});

export const HighlightBody = Type.Object(
  {
    quote: Quote,
    prefix: Type.Optional(Context),
    suffix: Type.Optional(Context),
    note: Maybe(Note),
    colour: Type.Optional(Colour),
  },
  { additionalProperties: false },
);

export const HighlightPatch = Type.Object(
  { note: Type.Optional(Type.Union([Note, Type.Null()])), colour: Type.Optional(Colour) },
  { additionalProperties: false, minProperties: 1 },
);

export const HighlightParameters = Type.Object({ id: Type.String() });

export const HighlightsQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: limits.query.length, description: 'Words of the passage or its note.' })),
  memoryId: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: page.minimum, maximum: page.maximum })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
});

/** Newest first. */
export const HighlightList = Type.Object({ highlights: Type.Array(Highlight), nextCursor: OrNull(Type.String()) });

export const ReviewQuery = Type.Object(timeZoneField);

/** At most five, the same ones all day. */
export const ReviewAnswer = Type.Object({ highlights: Type.Array(ReviewedHighlight) });

export const ReviewBody = Type.Object({ decision: Decision, ...timeZoneField }, { additionalProperties: false });

export type Highlight = Static<typeof Highlight>;
export type HighlightBody = Loose<Static<typeof HighlightBody>>;
export type HighlightPatch = Loose<Static<typeof HighlightPatch>>;
export type HighlightList = Static<typeof HighlightList>;
export type ReviewedHighlight = Static<typeof ReviewedHighlight>;
export type ReviewAnswer = Static<typeof ReviewAnswer>;
