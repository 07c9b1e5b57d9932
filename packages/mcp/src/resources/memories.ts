import { type ListResourcesResult, type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '@recollect/core';
import { quote, sourceOf, titleOf } from '../quoting/quote.js';
import type { Session } from '../session.js';
import { memoryId } from '../tools/memory-id.js';
import type { Resources } from './resource.js';

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

/** The memories, newest first, a page at a time. Throws VALIDATION_FAILED for a cursor that was not given here. */
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

/** One memory with its text, which is cut where it is very long, in a frame. Throws {@link ResourceNotFoundError}. */
async function readMemory({ core, caller }: Session, uri: string): Promise<ReadResourceResult> {
  const id = uri.startsWith(SCHEME) ? memoryId(uri) : '';
  const memory = await core.memories.get(caller.userId, id).catch((error) => {
    if (error instanceof RecollectError && error.code === 'NOT_FOUND') {
      throw new ResourceNotFoundError(uri, 'There is no memory with this id.');
    }
    throw error;
  });
  const whole = memory.text;
  const text = whole.slice(0, limits.mcp.resourceLength).toWellFormed();
  const more =
    text.length === whole.length
      ? ''
      : `These are the first ${text.length} of ${whole.length} characters; the tool fetch gives the rest, from offset ${text.length} on.\n\n`;
  return { contents: [{ uri: SCHEME + memory.id, mimeType: MIME, text: `${more}${quote(memory, text)}` }] };
}

/** Memories as resources, for clients whose user picks what is read. */
export const memories: Resources = { templates: [template], list: listMemories, read: readMemory };
