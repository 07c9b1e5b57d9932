import '../styles/tag-tree.css';
import { formatOperator } from '@recollect/contract/query-syntax';
import { displayed, type TagNode, tagTree } from '@recollect/contract/text';
import { Button, Icon } from '@recollect/ui';
import { formatNumber } from '@recollect/ui/numbers';
import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { addressOf } from '../api/base-path.js';
import { removeTags, renameTags } from '../dialogs/change-tags.js';
import { Menu } from '../dialogs/menu.js';
import { TagMark } from '../search/tag-mark.js';
import { addTags } from '../state/changes.js';
import { droppedMemories, hasMemories } from '../state/drag-memories.js';
import { isTagOpen, toggleTag } from '../state/open-tags.js';
import { isListPage, query, searchAddress } from '../state/query.js';
import { succeeds } from '../state/status.js';
import { lookedTag, tagList } from '../state/tags.js';

/** Tags on one level of the tree. The page of all tags has the others. */
const MAX_SIBLINGS = 20;

/** The tags as a tree, with the number of memories of each branch. Memories can be dropped on a tag. */
export function TagTree() {
  const list = tagList.value.value;
  const roots = useMemo(() => (list === null ? [] : tagTree(list)), [list]);
  // Whether the address shows a list depends on it, and no signal has the address.
  useLocation();
  const listed = isListPage() ? query.value : null;
  if (roots.length === 0) return null;
  return (
    <section class="tag-tree" aria-label="Tag tree">
      <Branch nodes={roots} listed={listed} />
    </section>
  );
}

interface BranchProps {
  nodes: readonly TagNode[];
  parent?: string;
  /** The query of the shown list; null on another page. */
  listed: string | null;
}

function Branch({ nodes, parent, listed }: BranchProps) {
  return (
    <ul aria-label={parent === undefined ? 'Tag tree' : `Below ${displayed(parent)}`}>
      {nodes.slice(0, MAX_SIBLINGS).map((node) => (
        <Tag key={node.tag} node={node} listed={listed} />
      ))}
      {nodes.length > MAX_SIBLINGS && (
        <li>
          <a href={addressOf('/tags')}>All {formatNumber(nodes.length)} tags</a>
        </li>
      )}
    </ul>
  );
}

function Tag({ node, listed }: { node: TagNode } & Pick<BranchProps, 'listed'>) {
  const { tag, name, nested, children } = node;
  const [isOver, setOver] = useState(false);
  const isOpen = children.length > 0 && isTagOpen(tag);
  const asked = formatOperator({ name: 'tag', value: tag });
  const shown = displayed(tag);
  return (
    <li>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the key `e` adds tags to memories. */}
      <div
        class={isOver ? 'tag-node over' : 'tag-node'}
        onDragOver={(event) => {
          if (!hasMemories(event)) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          if (!hasMemories(event)) return;
          event.preventDefault();
          setOver(false);
          void succeeds(addTags(droppedMemories(event), [tag]));
        }}
      >
        {children.length > 0 ? (
          <button
            type="button"
            class="tag-toggle"
            aria-expanded={isOpen}
            aria-label={`Tags below ${shown}`}
            onClick={() => toggleTag(tag)}
          >
            <Icon name="chevron" />
          </button>
        ) : (
          <span class="tag-toggle" />
        )}
        <a href={searchAddress(asked)} aria-current={listed === asked ? 'page' : undefined}>
          <TagMark tag={tag} />
          <bdi>{displayed(name)}</bdi>
          <span class="navigation-count">
            {formatNumber(nested)}
            <span class="hidden"> {nested === 1 ? 'memory' : 'memories'}</span>
          </span>
        </a>
        <Menu label={`Change ${shown}`} icon="more">
          <Button variant="quiet" icon="edit" onClick={() => void renameTags([tag])}>
            Rename or merge
          </Button>
          <Button
            variant="quiet"
            icon="appearance"
            onClick={() => {
              lookedTag.value = tag;
            }}
          >
            Colour and icon
          </Button>
          <Button variant="quiet" icon="trash" onClick={() => void removeTags([tag])}>
            Remove
          </Button>
        </Menu>
      </div>
      {isOpen && <Branch nodes={children} parent={tag} listed={listed} />}
    </li>
  );
}
