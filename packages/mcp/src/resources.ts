import {
  type ListResourcesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { limits } from '@recollect/contract/limits';
import { sliceText } from '@recollect/contract/text';
import { RecollectError } from '@recollect/core';
import type { Session } from './caller.js';
import { quote, sourceOf, titleOf } from './quoting/quote.js';

import { memoryId } from './tools/tool.js';

/** Resources with URIs, for clients where the user picks what to read. */
export interface Resources {
  templates: readonly ResourceTemplateType[];
  /** Returns a page. Throws VALIDATION_FAILED for a cursor that it did not return. */
  list(session: Session, cursor: string | undefined): Promise<ListResourcesResult>;
  /** Throws `ResourceNotFoundError`. */
  read(session: Session, uri: string): Promise<ReadResourceResult>;
}

const SCHEME = 'memory://';
const MIME = 'text/plain';
const PAGE = 50;

const template = {
  uriTemplate: `${SCHEME}{id}`,
  name: 'memory',
  title: 'A memory',
  description: 'The text of one memory by its id: quoted, untrusted material.',
  mimeType: MIME,
};

/** Lists the memories, newest first, page by page. Throws VALIDATION_FAILED for a cursor that it did not return. */
async function listMemories({ core, caller }: Session, cursor: string | undefined): Promise<ListResourcesResult> {
  const { memories, nextCursor } = await core.memories.list(caller.userId, {
    limit: PAGE,
    cursor,
  });
  return {
    resources: memories.map((memory) => ({
      uri: SCHEME + memory.id,
      name: titleOf(memory),
      title: titleOf(memory),
      description: `Untrusted text of a ${sourceOf(memory)}, saved ${memory.capturedAt}.`,
      mimeType: MIME,
      annotations: { lastModified: memory.updatedAt },
    })),
    ...(nextCursor === null ? {} : { nextCursor }),
  };
}

/** Reads one memory. Its text is framed, and truncated if it is very long. Throws {@link ResourceNotFoundError}. */
async function readMemory({ core, caller }: Session, uri: string): Promise<ReadResourceResult> {
  const id = uri.startsWith(SCHEME) ? memoryId(uri) : '';
  const memory = await core.memories.get(caller.userId, id).catch((error) => {
    if (error instanceof RecollectError && error.code === 'NOT_FOUND') {
      // The error carries an address, and must not repeat one that anybody made up.
      throw new ResourceNotFoundError(`${SCHEME}{id}`, 'There is no memory with this id.');
    }
    throw error;
  });
  const whole = memory.text;
  const text = sliceText(whole, 0, limits.mcp.resourceLength);
  const more =
    text.length === whole.length
      ? ''
      : `The first ${text.length} of ${whole.length} characters; call fetch with offset ${text.length} for the rest.\n\n`;
  return { contents: [{ uri: SCHEME + memory.id, mimeType: MIME, text: `${more}${quote(memory, text)}` }] };
}

/** Memories as resources, for clients where the user picks what to read. */
export const memories: Resources = { templates: [template], list: listMemories, read: readMemory };
