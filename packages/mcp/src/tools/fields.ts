import { limits, places, readStates, sourceTypes } from '@recollect/contract';
import Type from 'typebox';

// Models read these schemas: each field says what it is for, none has a custom format that a client would have to know,
// and a missing argument is omitted, never null.

const { capture } = limits;

/** Rejects unknown arguments. */
export const exact = { additionalProperties: false };

/** The maximum number of results, within a range. */
export const limitOf = ({ minimum, maximum, default: usual }: { minimum: number; maximum: number; default: number }) =>
  Type.Optional(Type.Integer({ minimum, maximum, description: `Maximum number of results. Defaults to ${usual}.` }));
export const Limit = limitOf(limits.query.results);
export const Cursor = Type.Optional(
  Type.String({ maxLength: 200, description: 'To continue: nextCursor of the last result.' }),
);
/** A list of tags. */
export const tagsOf = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: capture.tagLength }), { maxItems: capture.tags, description }));
/** The id of a memory. */
export const idOf = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
export const Id = idOf('Memory id from search or recent.');
const Since = Type.String({
  description:
    'Saved at or after this ISO 8601 date (its midnight where the server is), or date and time with time zone.',
});
const Until = Type.String({
  description: 'Saved before this ISO 8601 date (its midnight where the server is), or date and time with time zone.',
});

/** The filters of the tools that list memories. */
export const filters = {
  sourceType: Type.Optional(
    Type.Enum([...sourceTypes], {
      type: 'string',
      description: 'Only web pages (url), notes, files, or conversations with one assistant.',
    }),
  ),
  site: Type.Optional(
    Type.String({ maxLength: 253, description: 'Only pages of this host and its subdomains, such as example.org.' }),
  ),
  tag: Type.Optional(
    Type.String({
      maxLength: capture.tagLength,
      description: 'Only memories with this tag or one below it, such as dev/tools for dev.',
    }),
  ),
  starred: Type.Optional(Type.Boolean({ description: 'Only what the user has starred, or only other memories.' })),
  readState: Type.Optional(
    Type.Enum([...readStates], {
      type: 'string',
      description: 'Only what the user has not read, read in part, or read.',
    }),
  ),
  place: Type.Optional(
    Type.Enum([...places], {
      type: 'string',
      description: 'Only what is in the inbox, kept to be read later, or in the archive.',
    }),
  ),
  since: Type.Optional(Since),
  until: Type.Optional(Until),
  by: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Only what this saved: extension, bookmarklet, web, cli, mcp, plugin or http; mcp:NAME is one assistant.',
    }),
  ),
};

export const Notice = Type.String({ description: 'Says that the quoted text is untrusted.' });
/** The origin of a memory. */
export const origin = {
  url: Type.String({ description: 'An http or https URL. Empty if the memory has none.' }),
  sourceType: Type.Enum([...sourceTypes], {
    type: 'string',
    description: 'Web page (url), note, file, or which assistant.',
  }),
  savedAt: Type.String({ description: 'ISO 8601 in UTC.' }),
};

/** A memory in a list of results. */
export const foundMemory = {
  id: Type.String(),
  title: Type.String({ description: 'Untrusted.' }),
  text: Type.String({ description: 'A framed excerpt. Untrusted.' }),
  ...origin,
};
