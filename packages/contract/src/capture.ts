import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { limits } from './limits.js';

import { HttpUrl, Instant, type Loose, Maybe, OrNull, Warnings } from './schema.js';
import { captureModes, extractions, places, sourceTypes } from './vocabulary.js';

/** An image that a capture or an export has: WebP, PNG, JPEG or ICO. */
export const Image = Type.Object({
  type: Type.String({ description: 'Its media type. The bytes decide.' }),
  data: Type.String({ description: 'Its bytes in Base64.' }),
});

/** The pictures of a memory in summaries. */
export const pictureFields = {
  pictureHash: Type.Optional(
    Type.String({ description: 'The hash of its picture, for the parameter v of its address. Missing without one.' }),
  ),
  faviconHash: Type.Optional(Type.String({ description: "The same for its site's favicon." })),
};

export const PictureParameters = Type.Object({
  v: Type.Optional(Type.String({ maxLength: 64, description: 'The hash. With it, browsers keep the picture.' })),
});

export type Image = Static<typeof Image>;

const { capture } = limits;

export const Tags = Type.Array(Type.String({ maxLength: capture.tagLength }), { maxItems: capture.tags });
export const Note = Type.String({ maxLength: capture.noteLength });
export const Title = Type.String({ maxLength: capture.titleLength });

/** A comment below a page: what somebody else wrote. */
export const Comment = Type.Object({
  author: Type.String({ maxLength: capture.comments.authorLength, description: 'Empty if the page does not name it.' }),
  published: Type.Optional(Instant),
  text: Type.String({ maxLength: capture.comments.characters, description: 'Markdown.' }),
});
export const Comments = Type.Array(Comment, { maxItems: capture.comments.count });
export type Comment = Loose<Static<typeof Comment>>;

/** The request for one memory. Unknown fields are ignored, so that newer clients keep working. */
export const Capture = Type.Object({
  title: Maybe(Title),
  /** Whether the user chose the title, which then also renames a known memory. Otherwise it is the page's title. */
  ownTitle: Maybe(Type.Boolean()),
  url: Maybe(HttpUrl),
  sourceApp: Maybe(Type.String({ maxLength: capture.sourceAppLength })),
  captureMode: Maybe(Type.Enum([...captureModes])),
  selection: Maybe(Type.String()),
  pageText: Maybe(Type.String()),
  messages: Maybe(Type.Array(Type.Object({ role: Type.String(), text: Type.String() }))),
  html: Maybe(Type.String()),
  /** Which text of html is saved. Without it, the article. */
  extract: Maybe(Type.Enum([...extractions])),
  /** The comments below the page of pageText or html, which are not part of its text. Without it, html is searched. */
  comments: Maybe(Comments),
  pdf: Maybe(Type.String({ description: 'A PDF in Base64, of which the text is saved.' })),
  /** The name of the file that pageText, html or pdf was read from. */
  fileName: Maybe(Type.String({ maxLength: capture.fileNameLength })),
  metadata: Maybe(Type.Record(Type.String(), Type.Unknown())),
  tags: Maybe(Tags),
  note: Maybe(Note),
  capturedAt: Maybe(Instant),
  /** Where a new memory is kept. Without it, the inbox. A known memory stays where it is. */
  place: Maybe(Type.Enum([...places])),
  /** The pictures of the memory in lists. A picture that cannot be stored is left out, with a warning. */
  picture: Maybe(Image),
  /** The icon of its site. */
  favicon: Maybe(Image),
});
export type Capture = Loose<Static<typeof Capture>>;

const Item = Type.Union([Capture, Type.Null()]);
const CaptureList = Type.Array(Item, { maxItems: capture.perRequest });
const EmptyCapture = Type.Union([Type.Null(), Type.Array(Type.Never(), { maxItems: 0 })]);
const SingleBody = Type.Object({ capture: Type.Union([Capture, EmptyCapture]) });
const ManyBody = Type.Object({
  capture: Type.Optional(Type.Never()),
  captures: Type.Union([CaptureList, Type.Null()]),
});

/** The four equivalent shapes of CAP-1. */
export const CaptureBody = Type.Union([SingleBody, ManyBody, Capture, CaptureList]);
export type CaptureBody = Loose<Static<typeof CaptureBody>>;

/** The branch of {@link CaptureBody} that a body matches, so that errors refer to that branch only. */
export function captureBodyShape(body: unknown): TSchema {
  if (Array.isArray(body)) return CaptureList;
  if (typeof body !== 'object' || body === null) return Item;
  if ('captures' in body) return ManyBody;
  return 'capture' in body ? SingleBody : Capture;
}

export const Imported = Type.Object({
  documents: Type.Integer(),
  chunks: Type.Integer(),
  embedded: Type.Integer(),
  embeddingsSkipped: Type.Boolean(),
});

export const CaptureResult = Type.Object({
  id: Type.String(),
  title: Type.String(),
  sourceType: Type.Enum([...sourceTypes]),
  captureMode: Type.Enum([...captureModes]),
  sourceApp: Type.String(),
  url: OrNull(Type.String()),
  status: Type.Enum(['created', 'duplicate', 'updated']),
  /** The fields that a known memory got from this capture; missing if none. */
  merged: Type.Optional(Type.Array(Type.Enum(['title', 'tags', 'note']))),
});

export const CaptureAnswer = Type.Object({
  imported: Imported,
  captures: Type.Array(CaptureResult),
  hooksTriggered: Type.Integer(),
  warnings: Type.Optional(Warnings),
});

/** A capture as a key without `memory:read` sees it: the stored title of a known page is not in it. */
export const CaptureStates = Type.Object({
  imported: Imported,
  captures: Type.Array(Type.Object({ id: CaptureResult.properties.id, status: CaptureResult.properties.status })),
  hooksTriggered: Type.Integer(),
  warnings: Type.Optional(Warnings),
});

export type Imported = Static<typeof Imported>;
export type CaptureResult = Static<typeof CaptureResult>;
export type CaptureAnswer = Static<typeof CaptureAnswer>;
