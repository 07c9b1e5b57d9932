import type { MemorySummary, TagList } from '@recollect/contract';
import { formatOperator } from '@recollect/contract/query-syntax';
import { count } from '@recollect/contract/text';
import type { SourceType } from '@recollect/contract/vocabulary';
import type { IconName } from '@recollect/ui';
import { siteOf } from '@recollect/ui/site';
import { memoryAddress, type Passage, searchAddress } from '../state/query.js';
import type { NamedList } from '../state/saved-searches.js';
import { settingsAddress, settingsPages } from '../state/settings-pages.js';
import { commands } from './commands.js';

/** Tags that are offered. */
const MAX_TAGS = 5;

type Route = (address: string) => void;

/** An entry of the palette: an action, a page, or a memory. */
export interface Choice {
  id: string;
  name: string;
  /** The icon, or the source of a memory, which determines its icon. */
  icon: IconName | { sourceType: SourceType };
  /** The text beside the name. */
  detail?: string;
  /** The keys that do the same. */
  keys?: string | undefined;
  run: (route: Route) => void;
}

export interface Group {
  name: string;
  choices: readonly Choice[];
}

/** A memory that the palette offers, with the passage that a search found. */
export interface Offered extends Pick<MemorySummary, 'id' | 'title' | 'url' | 'sourceType'> {
  passage?: Passage | undefined;
}

interface Sources {
  /** The typed text. */
  words: string;
  /** The memories that it finds; the newest ones while nothing is typed. */
  memories: readonly Offered[];
  tags: TagList['tags'];
  /** Starred, unread, and saved searches. */
  lists: readonly NamedList[];
}

/** The choices for the typed text, in groups. Empty groups are left out. */
export function choicesFor({ words, memories, tags, lists }: Sources): Group[] {
  const matches = matcherOf(words);
  const memoryGroup: Group = {
    name: words === '' ? 'Recent memories' : 'Memories',
    choices: memories.map((memory) => toChoice(memory, words)),
  };
  const actions: Group = {
    name: 'Actions',
    choices: commands
      .filter(({ name }) => matches(name))
      .map(({ name, icon, keys, run }) => ({ id: name, icon, name, keys, run })),
  };
  const listed: Group = {
    name: 'Lists',
    choices: lists
      .filter(({ name }) => matches(name))
      .map(({ id, name, query, icon }) => ({
        id: `list ${id}`,
        icon,
        name,
        run: (route) => route(searchAddress(query)),
      })),
  };
  const groups =
    words === '' ? [memoryGroup, actions] : [actions, listed, memoryGroup, ...whileTyping(words, tags, matches)];
  return groups.filter(({ choices }) => choices.length > 0);
}

function whileTyping(words: string, tags: TagList['tags'], matches: (name: string) => boolean): Group[] {
  const toTag = ({ tag, memories }: TagList['tags'][number]): Choice => ({
    id: `tag ${tag}`,
    icon: 'tag',
    name: tag,
    detail: count(memories, 'memory', 'memories'),
    run: (route) => route(searchAddress(formatOperator({ name: 'tag', value: tag }))),
  });
  const toPage = ({ section, name, icon }: (typeof settingsPages)[number]): Choice => ({
    id: `settings ${section}`,
    icon,
    name,
    run: (route) => route(settingsAddress(section)),
  });
  return [
    {
      name: 'Tags',
      choices: tags
        .filter(({ tag }) => matches(tag))
        .slice(0, MAX_TAGS)
        .map(toTag),
    },
    { name: 'Settings', choices: settingsPages.filter(({ name }) => matches(`Settings ${name}`)).map(toPage) },
    {
      name: 'Search',
      choices: [
        {
          id: 'search',
          icon: 'search',
          name: `Search for “${words}”`,
          run: (route) => route(searchAddress(words)),
        },
      ],
    },
  ];
}

function toChoice({ id, title, url, sourceType, passage }: Offered, words: string): Choice {
  return {
    id,
    icon: { sourceType },
    name: title,
    ...(url === null ? {} : { detail: siteOf(url) }),
    run: (route) => route(memoryAddress(id, words, passage)),
  };
}

/** Whether a name has all words, in any order. */
function matcherOf(words: string): (name: string) => boolean {
  const parts = words.toLowerCase().split(/\s+/);
  return (name) => parts.every((part) => name.toLowerCase().includes(part));
}
