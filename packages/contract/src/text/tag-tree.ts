import type { TagList } from '../tag.js';
import { tagKey, tagPath } from './tags.js';

/** A tag in the tree of nested tags. */
export interface TagNode {
  /** The whole tag, such as `dev/databases`. */
  tag: string;
  /** The last part of the tag. */
  name: string;
  /** Memories that have the tag itself. */
  memories: number;
  /** Memories that have it or a tag below it, each counted once. */
  nested: number;
  /** In the order of the list. */
  children: TagNode[];
}

/**
 * Arranges a list of tags as a tree. Siblings with the most memories come first.
 *
 * @example
 * const tags = [{ tag: 'dev/databases', memories: 2, nested: 2, newestAt: '' }];
 * tagTree({ tags, parents: [{ tag: 'dev', nested: 2 }] });
 * // [{ tag: 'dev', name: 'dev', memories: 0, nested: 2, children: [{ tag: 'dev/databases', … }] }]
 */
export function tagTree({ tags, parents }: Pick<TagList, 'tags' | 'parents'>): TagNode[] {
  const all = [...tags, ...parents.map((parent) => ({ ...parent, memories: 0 }))];
  const nodes = all.map(({ tag, memories, nested }): TagNode => {
    const path = tagPath(tag) || tag;
    return { tag, name: path.slice(path.lastIndexOf('/') + 1), memories, nested, children: [] };
  });
  const byKey = new Map(nodes.map((node) => [tagKey(node.tag), node]));
  const roots: TagNode[] = [];
  for (const node of nodes) {
    const path = tagPath(node.tag);
    const parent = byKey.get(tagKey(path.slice(0, Math.max(0, path.lastIndexOf('/')))));
    (parent === undefined || parent === node ? roots : parent.children).push(node);
  }
  for (const node of [{ children: roots }, ...nodes])
    node.children.sort((one, other) => other.nested - one.nested || (one.tag < other.tag ? -1 : 1));
  return roots;
}
