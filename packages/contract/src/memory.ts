import Type, { type Static } from 'typebox';
import { Note, Tags, Title } from './capture.js';
import { limits } from './limits.js';
import { filterFields } from './query.js';
import { type Loose, Maybe, OrNull } from './schema.js';
import { captureModes, sourceTypes } from './vocabulary.js';

const { page, lookupUrls } = limits.memories;

const summaryFields = {
  id: Type.String(),
  title: Type.String(),
  url: OrNull(Type.String()),
  sourceType: Type.Enum([...sourceTypes]),
  sourceApp: Type.String(),
  captureMode: Type.Enum([...captureModes]),
  tags: Type.Array(Type.String()),
  note: OrNull(Type.String()),
  capturedAt: Type.String(),
  lastCapturedAt: Type.String(),
  updatedAt: Type.String(),
};

export const MemorySummary = Type.Object({ ...summaryFields, excerpt: Type.String() });

export const MemoryDetail = Type.Object({
  ...summaryFields,
  text: Type.String(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  /** What a raw page says about itself, such as its author. */
  page: Type.Record(Type.String(), Type.String()),
  chunks: Type.Integer(),
  embedding: Type.Object({ state: Type.Enum(['embedded', 'pending', 'off']), model: OrNull(Type.String()) }),
});

export const ListParameters = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: page.minimum, maximum: page.maximum })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  ...filterFields,
});

export const ListAnswer = Type.Object({ memories: Type.Array(MemorySummary), nextCursor: OrNull(Type.String()) });

export const MemoryParameters = Type.Object({ id: Type.String() });

export const MemoryPatch = Type.Object(
  { title: Type.Optional(Title), tags: Type.Optional(Tags), note: Maybe(Note) },
  { additionalProperties: false },
);

/** Accepts URLs of any scheme: the browser's own pages are simply not found. */
export const LookupBody = Type.Object({
  urls: Type.Array(Type.String({ maxLength: limits.capture.urlLength }), { minItems: 1, maxItems: lookupUrls }),
});

export const LookupAnswer = Type.Object({
  found: Type.Array(
    Type.Object({
      url: Type.String(),
      id: Type.String(),
      title: Type.String(),
      capturedAt: Type.String(),
      lastCapturedAt: Type.String(),
    }),
  ),
});

export type MemorySummary = Static<typeof MemorySummary>;
export type MemoryDetail = Static<typeof MemoryDetail>;
export type ListAnswer = Static<typeof ListAnswer>;
export type MemoryPatch = Loose<Static<typeof MemoryPatch>>;
export type LookupAnswer = Static<typeof LookupAnswer>;
