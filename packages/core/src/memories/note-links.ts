import type { LinksAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { addressesIn, noteKey, noteTargets } from '@recollect/contract/text';
import type { Memory } from '../memory.js';
import type { LinkingNote, MemoryStore, NamedNote, StoredMemory } from '../ports/index.js';
import { urlKey } from '../text/url-key.js';

/**
 * The key by which links find a memory of a file; null for other memories, which only their title names.
 *
 * @example
 * nameKeyOf({ fileName: 'drinks/Tea.md' }); // 'tea'
 */
export function nameKeyOf({ fileName }: Readonly<Record<string, unknown>>): string | null {
  return typeof fileName === 'string' ? noteKey(fileName) || null : null;
}

type LinkReader = Pick<MemoryStore, 'lookup' | 'notesNamed' | 'notesLinkingTo'>;
type Linking = Pick<StoredMemory, 'id' | 'title' | 'url' | 'text' | 'metadata'>;

/** The links of a memory to others that exist, and the memories that link to it. */
export async function readLinks(memories: LinkReader, userId: string, memory: Linking): Promise<LinksAnswer> {
  const { links: most } = limits.memories;
  const [named, addressed, backlinks] = await Promise.all([
    readNamed(memories, userId, memory, most),
    readAddressed(memories, userId, memory, most),
    readBacklinks(memories, userId, memory, most),
  ]);
  return { links: [...named, ...addressed].slice(0, most), backlinks };
}

/** The memories that link to a memory by its file, its title or its address, newest first. */
export async function readBacklinks(
  memories: Pick<MemoryStore, 'notesLinkingTo'>,
  userId: string,
  { id, title, url, metadata }: Linking,
  most: number,
): Promise<LinkingNote[]> {
  const ofTitle = title.includes('/') ? '' : noteKey(title);
  const ofPage = url === null ? '' : (urlKey(url) ?? '');
  const keys = new Set([ofTitle, nameKeyOf(metadata) ?? '', ofPage].filter((key) => key !== ''));
  const linking = keys.size === 0 ? [] : await memories.notesLinkingTo(userId, [...keys], most + 1);
  return linking.filter((note) => note.id !== id).slice(0, most);
}

type Links = LinksAnswer['links'];

/** The memories that `[[name]]` means. */
async function readNamed(memories: LinkReader, userId: string, memory: Linking, most: number): Promise<Links> {
  const targets = noteTargets(memory.text).slice(0, most);
  const keys = [...new Set(targets.map(noteKey))].filter((key) => key !== '');
  const named = keys.length === 0 ? [] : await memories.notesNamed(userId, keys, most);
  const byKey = Map.groupBy(
    named.flatMap((note) => note.keys.map((key) => ({ key, note }))),
    ({ key }) => key,
  );
  return targets.flatMap((target) => {
    const notes = (byKey.get(noteKey(target)) ?? []).map(({ note }) => note).filter(({ id }) => id !== memory.id);
    const note = choose(notes, target, memory.metadata.fileName);
    return note === null ? [] : [{ target, id: note.id, title: note.title }];
  });
}

/** The saved pages whose addresses a text of the user has. */
async function readAddressed(memories: LinkReader, userId: string, memory: Linking, most: number): Promise<Links> {
  const targets = linksByAddress(memory) ? addressesIn(memory.text).slice(0, most) : [];
  const keys = new Map(targets.map((target) => [target, urlKey(target)]));
  const found = targets.length === 0 ? [] : await memories.lookup(userId, [...new Set(keys.values())].filter(isKey));
  const pages = new Map(found.map((page) => [page.urlKey, page]));
  return targets.flatMap((target) => {
    const page = pages.get(keys.get(target) ?? '');
    return page === undefined || page.id === memory.id ? [] : [{ target, id: page.id, title: page.title }];
  });
}

const isKey = (key: string | null): key is string => key !== null;

/**
 * Whether addresses in the text of a memory are links to memories: in notes and files. Web pages have hundreds of
 * addresses that their readers did not choose.
 */
export function linksByAddress({ url }: Pick<Memory, 'url'>): boolean {
  return url === null;
}

/**
 * The keys of the memories that a text links to: of the names in `[[name]]`, and of addresses, which have a slash that
 * no name has.
 *
 * @example
 * linkKeysIn('[[drinks/Tea]] of https://tea.example/#top', { url: null }); // ['tea', 'https://tea.example/']
 */
export function linkKeysIn(text: string, memory: Pick<Memory, 'url'>): string[] {
  const names = noteTargets(text).map(noteKey);
  const pages = linksByAddress(memory) ? addressesIn(text).map(urlKey) : [];
  return [...new Set([...names, ...pages])].filter((key) => key !== null && key !== '') as string[];
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
