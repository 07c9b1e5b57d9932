import { dirname } from 'node:path';
import type { Random } from '../random.js';
import { createFileContent, type FileContent } from './file-content.js';
import type { Operation } from './operation.js';

const SECTOR = 512;

/** How a power cut treats what was not synced. */
export const CUTS = ['drops', 'keeps', 'reorders', 'tears'] as const;
export type Cut = (typeof CUTS)[number];

type Change = Extract<Operation, { kind: 'write' | 'truncate' }>;

/** A file, which may have lost its name. */
interface Inode {
  /** The content that is certainly on the disk. */
  synced: FileContent;
  pending: { at: number; change: Change }[];
}

/** A disk that keeps apart what is certainly on it and what may be. */
export interface Disk {
  run(operation: Operation): void;
  /** The files by path after a power cut at this point. The disk itself continues as if there had been none. */
  cutPower(cut: Cut, random: Random): Map<string, Buffer>;
}

export function createDisk(): Disk {
  const named = new Map<string, Inode>();
  /** The states of each name since the last sync of its folder. The first one is on the disk. */
  const names = new Map<string, { at: number; inode: Inode | null }[]>();
  let now = 0;

  const bind = (file: string, inode: Inode | null) => {
    names.set(file, [...(names.get(file) ?? [{ at: -1, inode: null }]), { at: now, inode }]);
    if (inode === null) named.delete(file);
    else named.set(file, inode);
  };
  const sync = (file: string, began: number) => {
    const inode = named.get(file);
    if (inode !== undefined) {
      for (const { at, change } of inode.pending) if (at < began) apply(inode.synced, change);
      inode.pending = inode.pending.filter(({ at }) => at >= began);
    }
    for (const [name, states] of names) {
      if (dirname(name) !== file) continue;
      const last = states.findLastIndex(({ at }) => at < began);
      names.set(name, states.slice(Math.max(0, last)));
    }
  };

  return {
    run(operation) {
      if (operation.kind === 'create') bind(operation.file, { synced: createFileContent(), pending: [] });
      else if (operation.kind === 'unlink') bind(operation.file, null);
      else if (operation.kind === 'rename') {
        const inode = named.get(operation.file);
        bind(operation.file, null);
        if (inode !== undefined) bind(operation.to, inode);
      } else if (operation.kind === 'sync') sync(operation.file, operation.began);
      else if (operation.kind !== 'acknowledge') {
        named.get(operation.file)?.pending.push({ at: now, change: operation });
      }
      now += 1;
    },
    cutPower(cut, random) {
      const files = new Map<string, Buffer>();
      for (const [name, states] of names) {
        const kept = cut === 'drops' ? 0 : cut === 'keeps' ? states.length - 1 : random.below(states.length);
        const inode = states[kept]?.inode;
        if (inode) files.set(name, survive(inode, cut, random));
      }
      return files;
    },
  };
}

/** The content of a file after the cut. */
function survive({ synced, pending }: Inode, cut: Cut, random: Random): Buffer {
  const content = synced.copy();
  for (const { change } of pending) {
    if (cut === 'drops') continue;
    if (cut === 'tears' && change.kind === 'write' && random.next() < 0.5) tear(content, change, random);
    else if (cut === 'keeps' || random.next() < 0.5) apply(content, change);
  }
  return content.bytes();
}

/** Only some sectors of a write reach the disk. */
function tear(content: FileContent, { position, data }: Change & { kind: 'write' }, random: Random): void {
  for (let start = 0; start < data.length; ) {
    const length = Math.min(SECTOR - ((position + start) % SECTOR), data.length - start);
    if (random.next() < 0.5) content.write(position + start, data.subarray(start, start + length));
    start += length;
  }
}

function apply(content: FileContent, change: Change): void {
  if (change.kind === 'truncate') content.truncate(change.size);
  else content.write(change.position, change.data);
}
