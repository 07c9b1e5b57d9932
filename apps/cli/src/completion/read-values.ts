import type { Command } from 'commander';
import type { CallOperation } from '../executor/executor.js';
import { topics } from '../manual/topics.js';
import { readLastResults } from '../memory-references.js';
import type { Kind, Wanted } from './find-wanted.js';

/** A word that the shell can complete. */
export interface Value {
  value: string;
  description: string | null;
}

/** Reads the words of the store that complete the typed one. */
export function readValues(
  call: CallOperation,
  { kind, typed, before }: Wanted & { kind: StoredKind },
): Promise<Value[]> {
  return READERS[kind](call, typed, before);
}

type StoredKind = Exclude<Kind, 'page'>;

const READERS: Readonly<
  Record<StoredKind, (call: CallOperation, typed: string, before: readonly string[]) => Promise<Value[]>>
> = {
  async memory(call, typed) {
    if (isBeginning(typed)) {
      const { memories } = await call('findIds', { query: { prefix: typed.toLowerCase() } });
      return memories.map(({ id, title }) => ({ value: id, description: title }));
    }
    const results = await readLastResults();
    return results.map(({ title }, at) => ({ value: `@${at + 1}`, description: title }));
  },
  async change(call, typed) {
    if (!isBeginning(typed)) return [];
    const { changes } = await call('findIds', { query: { prefix: typed.toLowerCase() } });
    return changes.map((value) => ({ value, description: null }));
  },
  async tag(call, typed) {
    const { tags } = await call('completeTags', { body: { prefix: typed, limit: MAX_TAGS } });
    return tags.map((value) => ({ value, description: null }));
  },
  async site(call) {
    const { sites } = await call('countMemories', { query: {} });
    return sites.map(({ value, count }) => ({ value, description: `${count}` }));
  },
  async search(call) {
    const { savedSearches } = await call('listSavedSearches', {});
    return savedSearches.map(({ name, query }) => ({ value: name, description: query }));
  },
  async plugin(call) {
    const { plugins } = await call('listPlugins', {});
    return plugins.map(({ slug, description }) => ({ value: slug, description }));
  },
  async job(call, _typed, [plugin]) {
    const { plugins } = await call('listPlugins', {});
    const jobs = plugins.find(({ slug }) => slug === plugin)?.jobs ?? [];
    return jobs.map(({ jobId, title }) => ({ value: jobId, description: title }));
  },
  async key(call) {
    const { apiKeys } = await call('listApiKeys', {});
    return apiKeys.map(({ prefix, name }) => ({ value: prefix, description: name }));
  },
};

/** The most that the operation returns. */
const MAX_TAGS = 50;

/** Whether it can be the beginning of an id, which takes four characters. */
function isBeginning(typed: string): boolean {
  return /^[0-9a-f-]{4,}$/i.test(typed);
}

/** The pages of the manual whose name begins with these words: commands, and topics. */
export function readPages(program: Command, before: readonly string[]): Value[] {
  const command = before.reduce<Command | undefined>(
    (parent, word) => parent?.commands.find((subcommand) => subcommand.name() === word),
    program,
  );
  const commands = (command?.commands ?? []).map((subcommand) => ({
    value: subcommand.name(),
    description: subcommand.description(),
  }));
  const pages = Object.entries(topics).map(([value, { summary }]) => ({ value, description: summary }));
  return before.length === 0 ? [...commands, ...pages] : commands;
}
