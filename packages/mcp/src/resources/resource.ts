import type { ListResourcesResult, ReadResourceResult, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Session } from '../session.js';

/** Resources with URIs, for clients where the user picks what to read. */
export interface Resources {
  templates: readonly ResourceTemplateType[];
  /** Returns a page. Throws VALIDATION_FAILED for a cursor that it did not return. */
  list(session: Session, cursor: string | undefined): Promise<ListResourcesResult>;
  /** Throws `ResourceNotFoundError`. */
  read(session: Session, uri: string): Promise<ReadResourceResult>;
}
