import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import type { Loose } from './schema.js';

const { nameLength } = limits.savedSearches;
const Name = Type.String({ minLength: 1, maxLength: nameLength });
const Query = Type.String({
  minLength: 1,
  maxLength: limits.query.length,
  description: 'Words, operators or both, such as tea is:unread.',
});

/** A query that the user wants to run again. */
export const SavedSearch = Type.Object({
  id: Type.String(),
  /** Unique without regard to case. */
  name: Type.String(),
  query: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

/** A saved search as a key without `memory:read` sees it. */
export const SavedSearchState = Type.Object({
  id: SavedSearch.properties.id,
  createdAt: SavedSearch.properties.createdAt,
  updatedAt: SavedSearch.properties.updatedAt,
});

export const SavedSearchBody = Type.Object({ name: Name, query: Query }, { additionalProperties: false });

/** A saved search in an export, whose readers ignore what they do not know. */
export const ExportedSearch = Type.Object({ name: Name, query: Query });

export const SavedSearchPatch = Type.Object(
  { name: Type.Optional(Name), query: Type.Optional(Query) },
  { additionalProperties: false },
);

export const SavedSearchParameters = Type.Object({ id: Type.String() });

/** By name. */
export const SavedSearchList = Type.Object({ savedSearches: Type.Array(SavedSearch) });

export type SavedSearch = Static<typeof SavedSearch>;
export type SavedSearchBody = Loose<Static<typeof SavedSearchBody>>;
export type SavedSearchPatch = Loose<Static<typeof SavedSearchPatch>>;
export type SavedSearchList = Static<typeof SavedSearchList>;
