import {
  ChangeAnswer,
  ChangeBody,
  ChangeId,
  ChangeRun,
  ChangeRunState,
  changeScope,
  EmptyTrashAnswer,
  EmptyTrashBody,
  TrashAnswer,
  TrashedMemory,
  TrashParameters,
  UndoAnswer,
  UndoParameters,
} from '../change.js';
import { MemoryParameters } from '../memory.js';
import { routes } from '../routes.js';
import { TagCompletion, TagCompletionBody, TagList, TagRemoveBody, TagRenameBody } from '../tag.js';

import type { Operation } from './operation.js';

/** Changes of many memories, by ids, query or tag, their undo, and the trash. */
export const changeOperations = {
  changeMemories: {
    ...routes.changeMemories,
    scope: 'memory:write',
    scopeFor: changeScope,
    summary: 'Tags, stars or marks many memories, moves them to the trash, or restores them.',
    body: ChangeBody,
    answers: { 200: ChangeAnswer, 202: ChangeRun },
    withoutRead: { 200: ChangeId, 202: ChangeRunState },
    problems: ['VALIDATION_FAILED'],
  },
  changeState: {
    ...routes.changeState,
    scope: 'memory:read',
    summary: 'Returns how far a change of many memories is that was answered with 202.',
    parameters: MemoryParameters,
    answers: { 200: ChangeRun },
    problems: ['NOT_FOUND'],
  },
  undoChange: {
    ...routes.undoChange,
    scope: 'memory:write',
    summary: 'Undoes a change whose former values are still kept, except where a memory was changed again since.',
    parameters: MemoryParameters,
    query: UndoParameters,
    answers: { 200: UndoAnswer, 202: ChangeRun },
    withoutRead: { 200: ChangeId, 202: ChangeRunState },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
  listTags: {
    ...routes.listTags,
    scope: 'memory:read',
    summary: 'Returns all tags with the number of memories, the most frequent first, and the parents of nested tags.',
    answers: { 200: TagList },
    problems: [],
  },
  completeTags: {
    ...routes.completeTags,
    scope: 'memory:read',
    summary: 'Returns tags that begin with a text or contain it, recently used ones first.',
    body: TagCompletionBody,
    answers: { 200: TagCompletion },
    problems: ['VALIDATION_FAILED'],
  },
  renameTags: {
    ...routes.renameTags,
    scope: 'memory:write',
    summary: 'Renames tags, with the tags below them. Several tags, or a name that exists, are merged.',
    body: TagRenameBody,
    answers: { 200: ChangeAnswer, 202: ChangeRun },
    withoutRead: { 200: ChangeId, 202: ChangeRunState },
    problems: ['VALIDATION_FAILED'],
  },
  removeTags: {
    ...routes.removeTags,
    scope: 'memory:write',
    summary: 'Removes tags from all memories.',
    body: TagRemoveBody,
    answers: { 200: ChangeAnswer, 202: ChangeRun },
    withoutRead: { 200: ChangeId, 202: ChangeRunState },
    problems: ['VALIDATION_FAILED'],
  },
  listTrash: {
    ...routes.listTrash,
    scope: 'memory:read',
    summary: 'Returns the memories in the trash, the last deleted first.',
    query: TrashParameters,
    answers: { 200: TrashAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  trashedMemory: {
    ...routes.trashedMemory,
    scope: 'memory:read',
    summary: 'Retrieves a memory in the trash with its full text.',
    parameters: MemoryParameters,
    answers: { 200: TrashedMemory },
    problems: ['NOT_FOUND'],
  },
  emptyTrash: {
    ...routes.emptyTrash,
    scope: 'admin',
    summary: 'Permanently deletes the memories in the trash, or some of them.',
    body: EmptyTrashBody,
    answers: { 200: EmptyTrashAnswer },
    problems: ['VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Operation>;
