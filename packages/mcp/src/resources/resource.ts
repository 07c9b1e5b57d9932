import type { ListResourcesResult, ReadResourceResult, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Session } from '../session.js';

/** What can be read by its URI, for clients whose user picks what is read. */
export interface Resources {
  templates: readonly ResourceTemplateType[];
  /** A page of what there is. Throws VALIDATION_FAILED for a cursor that was not given here. */
  list(session: Session, cursor: string | undefined): Promise<ListResourcesResult>;
  /** Throws `ResourceNotFoundError`. */
  read(session: Session, uri: string): Promise<ReadResourceResult>;
}
