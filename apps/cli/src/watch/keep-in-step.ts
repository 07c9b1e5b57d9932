import { join } from 'node:path';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '@recollect/core';
import type { CallOperation } from '../executor/executor.js';
import {
  type FileContent,
  type FileNow,
  type ReadPdf,
  readContent,
  readState,
  type WatchedFile,
  type WatchedFiles,
} from './watched-files.js';

/** The result for one file. */
export type Step =
  | { path: string; did: 'saved' | 'updated' | 'renamed' | 'trashed' }
  | { path: string; did: 'skipped'; reason: string };

interface Keeping {
  /** The watched folder. */
  folder: string;
  call: CallOperation;
  readPdf: ReadPdf;
  /** Tags for new memories. */
  tags: readonly string[];
  onStep: (step: Step) => void;
}

/**
 * Brings the memories of some files of a folder to what these are now. The state is changed with each step. Files are
 * gone only once the others are read, because a file that was renamed is both gone and new.
 *
 * @param paths in the folder, with `/` between folders
 */
export async function keepInStep(keeping: Keeping, state: WatchedFiles, paths: Iterable<string>): Promise<void> {
  const gone: string[] = [];
  const present: Present[] = [];
  for (const path of paths) {
    const watchedFile = state.files[path];
    const now = await readState(join(keeping.folder, path), watchedFile).catch((error) => skip(keeping, path, error));
    if (now === undefined || now === 'same') continue;
    if (now === null) {
      if (watchedFile !== undefined) gone.push(path);
    } else if (watchedFile?.hash === now.hash) state.files[path] = { ...watchedFile, changedAt: now.changedAt };
    else present.push({ path, ...now });
  }
  for (const file of present) {
    const { bytes, path } = file;
    try {
      const content = await readContent(bytes, path, file.changedAt, keeping.readPdf);
      if (content === null) continue;
      await keepOne(keeping, state, file, { content, gone });
    } catch (error) {
      if (isOfStore(error)) throw error;
      skip(keeping, path, error);
    }
  }
  for (const path of gone) await trash(keeping, state, path);
}

type Present = FileNow & { path: string; bytes: Uint8Array };

/** Whether the store or the server is at fault, so that the next file would fail as well. */
function isOfStore(error: unknown): boolean {
  return error instanceof RecollectError && !OF_FILE.includes(error.code);
}

const OF_FILE: readonly string[] = [
  'VALIDATION_FAILED',
  'CAPTURE_EMPTY',
  'EXTRACTION_FAILED',
  'MEMORY_DUPLICATE',
  'NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
];

function skip({ onStep }: Keeping, path: string, error: unknown): undefined {
  onStep({ path, did: 'skipped', reason: (error as Error).message });
}

async function keepOne(
  keeping: Keeping,
  state: WatchedFiles,
  file: Present,
  { content, gone }: { content: FileContent; gone: string[] },
): Promise<void> {
  const { path } = file;
  const watchedFile = state.files[path];
  const former = watchedFile === undefined ? takeRenamed(state, file, gone) : null;
  if (former !== null) {
    if (former.isTrashed) await keeping.call('restoreMemory', { parameters: { id: former.id } }).catch(ignoreUnknown);
    if (await update(keeping, former, content, fileNameOf(path))) {
      state.files[path] = { id: former.id, ...stateOf(file, content) };
      return keeping.onStep({ path, did: 'renamed' });
    }
  }
  if (watchedFile !== undefined && !isShared(state, path) && (await update(keeping, watchedFile, content))) {
    state.files[path] = { ...watchedFile, ...stateOf(file, content) };
    return keeping.onStep({ path, did: 'updated' });
  }
  await capture(keeping, state, file, content);
  keeping.onStep({ path, did: 'saved' });
}

/** The entry of a file that is gone and had the same content. */
function takeRenamed(
  state: WatchedFiles,
  { hash }: Present,
  gone: string[],
): (WatchedFile & { isTrashed: boolean }) | null {
  for (const [at, path] of gone.entries()) {
    const file = state.files[path];
    if (file?.hash !== hash || isShared(state, path)) continue;
    gone.splice(at, 1);
    delete state.files[path];
    return { ...file, isTrashed: false };
  }
  for (const [path, file] of Object.entries(state.gone)) {
    if (file.hash !== hash) continue;
    delete state.gone[path];
    return { ...file, isTrashed: true };
  }
  return null;
}

/** Whether another file has the same memory, since it had the same text. */
function isShared(state: WatchedFiles, path: string): boolean {
  const id = state.files[path]?.id;
  return Object.entries(state.files).some(([other, file]) => other !== path && file.id === id);
}

async function capture(
  { call, tags }: Keeping,
  state: WatchedFiles,
  file: Present,
  content: FileContent,
): Promise<void> {
  const body = {
    ...content.capture,
    fileName: fileNameOf(file.path),
    tags: [...(content.capture.tags ?? []), ...tags],
    place: 'archive' as const,
  };
  const { captures } = await call('capture', { body });
  const [saved] = captures;
  if (saved === undefined) throw new Error('It was not saved.');
  state.files[file.path] = { id: saved.id, ...stateOf(file, { ...content, title: content.title ?? saved.title }) };
}

function fileNameOf(path: string): string {
  return path.slice(-limits.capture.fileNameLength);
}

/** Changes a memory to what its file is now. False if it is gone. */
async function update(
  { call }: Keeping,
  watchedFile: WatchedFile,
  { text, title, tags }: FileContent,
  fileName?: string,
): Promise<boolean> {
  const parameters = { id: watchedFile.id };
  try {
    const memory = await call('getMemory', { parameters });
    await call('updateMemory', {
      parameters,
      body: {
        text,
        ...(fileName === undefined ? {} : { fileName }),
        // A title that the user has typed here stays.
        ...(title !== null && memory.title === watchedFile.title ? { title } : {}),
        addTags: tags.filter((tag) => !watchedFile.tags.includes(tag)),
        removeTags: watchedFile.tags.filter((tag) => !tags.includes(tag)),
      },
    });
    return true;
  } catch (error) {
    if (error instanceof RecollectError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

async function trash({ call, onStep }: Keeping, state: WatchedFiles, path: string): Promise<void> {
  const file = state.files[path];
  if (file === undefined) return;
  if (!isShared(state, path)) {
    await call('deleteMemory', { parameters: { id: file.id } }).catch(ignoreUnknown);
    delete state.gone[path];
    state.gone[path] = file;
  }
  delete state.files[path];
  onStep({ path, did: 'trashed' });
}

function ignoreUnknown(error: unknown): void {
  if (!(error instanceof RecollectError) || error.code !== 'NOT_FOUND') throw error;
}

function stateOf(
  { hash, size, changedAt }: Present,
  { title, tags }: Pick<FileContent, 'title' | 'tags'>,
): Omit<WatchedFile, 'id'> {
  return { hash, size, changedAt, title: title ?? '', tags };
}

const DONE = { saved: 'Saved', updated: 'Updated', renamed: 'Renamed', trashed: 'Moved to the trash:' } as const;

/**
 * Describes a step in one line for the user.
 *
 * @example
 * describeStep({ path: 'Tea.md', did: 'saved' }); // 'Saved Tea.md'
 */
export function describeStep(step: Step): string {
  return step.did === 'skipped' ? `Skipped ${step.path}: ${step.reason}` : `${DONE[step.did]} ${step.path}`;
}
