import Type, { type Static } from 'typebox';
import { Comments, Image, Note } from './capture.js';
import { limits } from './limits.js';
import { Actor } from './memory.js';

import { ExportedSearch } from './saved-search.js';
import { OrNull } from './schema.js';
import { TagLook } from './tag.js';
import {
  captureModes,
  changeKinds,
  highlightColours,
  places,
  readStates,
  recordedFields,
  sourceTypes,
} from './vocabulary.js';

const { quoteLength, contextLength, noteLength } = limits.highlights;

/** The version of the format. A program reads this version and older ones. */
export const EXPORT_SCHEMA = 1;

/** Tags of a memory: ten times as many as a capture may add, since later captures add theirs. */
const MAX_TAGS = 10 * limits.capture.tags;

const Id = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', description: 'A UUID.' });
const Time = Type.String({ format: 'instant', minLength: 1, description: 'ISO 8601 in UTC.' });

/** The first line of an export. */
export const ExportHeader = Type.Object(
  {
    recollect: Type.Literal('export'),
    schema: Type.Integer({ minimum: 1, description: 'The version of the format.' }),
    program: Type.String({ description: 'The version of the program that wrote it.' }),
    exportedAt: Time,
    savedSearches: Type.Optional(
      Type.Array(ExportedSearch, { description: 'The saved searches. Missing in an export of a selection.' }),
    ),
    tagLooks: Type.Optional(
      Type.Array(TagLook, { description: 'Icons and colours of tags. Missing in an export of a selection.' }),
    ),
  },
  { description: 'The first line.' },
);

/** The last line of an export. An export without it is incomplete. */
export const ExportFooter = Type.Object(
  {
    recollect: Type.Literal('end'),
    memories: Type.Integer({ minimum: 0, description: 'How many memories the export has.' }),
  },
  { description: 'The last line. An export without it is incomplete.' },
);

const Progress = Type.Number({ minimum: 0, maximum: 1, description: 'How much of the text has been read.' });

const RecordHighlight = Type.Object({
  id: Id,
  quote: Type.String({ minLength: 1, maxLength: quoteLength }),
  prefix: Type.String({ maxLength: contextLength }),
  suffix: Type.String({ maxLength: contextLength }),
  note: OrNull(Type.String({ maxLength: noteLength })),
  colour: Type.Optional(Type.Enum([...highlightColours], { description: 'Missing before it was kept: yellow.' })),
  reviewedAt: Type.Optional(OrNull(Time)),
  dismissed: Type.Optional(Type.Boolean({ description: 'Whether the review offers it no more.' })),
  createdAt: Time,
  updatedAt: Time,
});

const RecordEntry = Type.Object({
  changeId: Id,
  kind: Type.Enum([...changeKinds]),
  at: Time,
  by: OrNull(Actor),
  fields: Type.Array(Type.Enum([...recordedFields]), { maxItems: recordedFields.length }),
  before: OrNull(
    Type.Object(
      {
        title: Type.Optional(Type.String()),
        tags: Type.Optional(Type.Array(Type.String())),
        note: Type.Optional(OrNull(Type.String())),
        text: Type.Optional(Type.String({ minLength: 1 })),
        starred: Type.Optional(Type.Boolean()),
        readState: Type.Optional(Type.Enum([...readStates])),
        progress: Type.Optional(Progress),
        place: Type.Optional(Type.Enum([...places])),
      },
      { description: 'The values that the change replaced, as long as they are kept.' },
    ),
  ),
});

/**
 * One memory of an export, a line. Readers ignore unknown fields, so that later versions can add some. A store may have
 * more tags and highlights than a capture may add. Its titles and addresses may be longer, since earlier versions did
 * not limit them for files: only the length of the line limits them.
 */
export const ExportRecord = Type.Object(
  {
    id: Id,
    title: Type.String(),
    text: Type.String({ minLength: 1 }),
    turns: OrNull(
      Type.Object(
        {
          count: Type.Integer({ minimum: 1 }),
          starts: OrNull(Type.Array(Type.Integer({ minimum: 0 }))),
        },
        {
          description: 'The turns of a conversation, and where each of them starts in the text, in UTF-16 code units.',
        },
      ),
    ),
    url: OrNull(Type.String({ format: 'http-url', description: 'Absolute http or https URL.' })),
    sourceType: Type.Enum([...sourceTypes]),
    sourceApp: Type.String({ maxLength: limits.capture.sourceAppLength }),
    captureMode: Type.Enum([...captureModes]),
    tags: Type.Array(Type.String({ maxLength: limits.capture.tagLength }), { maxItems: MAX_TAGS }),
    note: OrNull(Note),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    page: Type.Record(Type.String(), Type.String(), { description: 'What a raw page says about itself.' }),
    savedBy: OrNull(Actor),
    capturedAt: Time,
    lastCapturedAt: Time,
    updatedAt: Time,
    isLink: Type.Optional(
      Type.Boolean({ description: 'Whether it is a link: an address whose page has no saved text.' }),
    ),
    starred: Type.Optional(Type.Boolean()),
    readState: Type.Optional(Type.Enum([...readStates])),
    progress: Type.Optional(Progress),
    openedAt: Type.Optional(OrNull(Time)),
    place: Type.Optional(
      Type.Enum([...places], {
        description: 'Where the user keeps it. Missing in exports of earlier versions: archive.',
      }),
    ),
    deletedAt: Type.Union([Time, Type.Null()], { description: 'Since when it is in the trash.' }),
    comments: Type.Optional(Comments),
    picture: Type.Optional(Image),
    favicon: Type.Optional(Image),
    highlights: Type.Array(RecordHighlight),
    history: Type.Array(RecordEntry, { description: 'Oldest first.' }),
  },
  { description: 'One memory.' },
);

/** The JSON Schema of each line of an export, as docs/export.schema.json publishes it. */
export const exportLineSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A line of a Recollect export',
  description:
    'An export is a text file in UTF-8 with one JSON object per line: a header, one line per memory, and an end line.',
  oneOf: [ExportHeader, ExportRecord, ExportFooter],
};

export type ExportHeader = Static<typeof ExportHeader>;
export type ExportFooter = Static<typeof ExportFooter>;
export type ExportRecord = Static<typeof ExportRecord>;
