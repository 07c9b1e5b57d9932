import type { LinksAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { noteKey, noteTargets } from '@recollect/contract/text';
import type { MemoryStore, NamedNote, StoredMemory } from '../ports/index.js';

/**
 * The key by which links find a memory of a file; null for other memories, which only their title names.
 *
 * @example
 * nameKeyOf({ fileName: 'drinks/Tea.md' }); // 'tea'
 */
export function nameKeyOf({ fileName }: Readonly<Record<string, unknown>>): string | null {
  return typeof fileName === 'string' ? noteKey(fileName) || null : null;
}

/** The links of a note to others that exist, and the memories that link to it. */
export async function readLinks(
  memories: Pick<MemoryStore, 'notesNamed' | 'notesLinkingTo'>,
  userId: string,
  memory: Pick<StoredMemory, 'id' | 'title' | 'text' | 'metadata'>,
): Promise<LinksAnswer> {
  const { links: most } = limits.memories;
  const targets = noteTargets(memory.text).slice(0, most);
  const keys = [...new Set(targets.map(noteKey))].filter((key) => key !== '');
  const ofTitle = memory.title.includes('/') ? '' : noteKey(memory.title);
  const names = new Set([ofTitle, nameKeyOf(memory.metadata) ?? ''].filter((key) => key !== ''));
  const [named, backlinks] = await Promise.all([
    keys.length === 0 ? [] : memories.notesNamed(userId, keys, most),
    names.size === 0 ? [] : memories.notesLinkingTo(userId, [...names], most),
  ]);
  const byKey = Map.groupBy(
    named.flatMap((note) => note.keys.map((key) => ({ key, note }))),
    ({ key }) => key,
  );
  const links = targets.flatMap((target) => {
    const notes = (byKey.get(noteKey(target)) ?? []).map(({ note }) => note).filter(({ id }) => id !== memory.id);
    const note = choose(notes, target, memory.metadata.fileName);
    return note === null ? [] : [{ target, id: note.id, title: note.title }];
  });
  return { links, backlinks: backlinks.filter(({ id }) => id !== memory.id) };
}

/**
 * Of notes with the same name, chooses the note in the folder that the link states,
 * else in the folder of the linking note, else the first.
 */
function choose(notes: readonly NamedNote[], target: string, from: unknown): NamedNote | null {
  const path = withoutExtension(target);
  const stated = notes.find(
    ({ fileName }) => path.includes('/') && `/${withoutExtension(fileName ?? '')}`.endsWith(`/${path}`),
  );
  const beside = notes.find(({ fileName }) => fileName !== null && folderOf(fileName) === folderOf(`${from ?? ''}`));
  return stated ?? beside ?? notes[0] ?? null;
}

function withoutExtension(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/\.(?:md|markdown)$/i, '')
    .toLowerCase();
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
