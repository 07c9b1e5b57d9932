import type { QueryFields } from '@recollect/contract';

/** The conditions of a list or a search. */
export type FilterFields = Pick<QueryFields, 'sourceType' | 'site' | 'tag' | 'since' | 'until' | 'by'>;
