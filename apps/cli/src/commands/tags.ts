import type { ChangeAnswer } from '@recollect/contract';
import { followChange } from '@recollect/contract/follow-change';
import { limits } from '@recollect/contract/limits';
import { count, splitTags, type TagNode, tagKey, tagTree } from '@recollect/contract/text';
import type { CallOperation } from '../executor/executor.js';
import { inert, print, printJson } from '../terminal/output.js';
import { printTable } from '../terminal/print.js';
import { undoAdvice } from './advice.js';
import { type AddCommand, InvalidOptionError, reportFailure, withExecutor } from './command.js';
import { followWith } from './follow-change.js';

export const addTags: AddCommand = (program) => {
  const tags = program
    .command('tags')
    .description('list, rename, merge and remove tags')
    .option('--once', 'only tags that a single memory has')
    .option('--json', 'print JSON')
    .action(list);
  tags
    .command('rename')
    .description('rename a tag with the tags below it; several tags, or a new name that exists, are merged')
    .argument('<tags...>', 'the present names')
    .requiredOption('--to <tag>', 'the new name', readTag)
    .option('--json', 'print JSON')
    .action(rename);
  tags
    .command('remove')
    .description('remove tags, and the tags below them, from all memories; the memories are kept')
    .argument('<tags...>', 'tags, as printed by recollect tags')
    .option('--json', 'print JSON')
    .action(remove);
};

async function list({ once, json }: { once?: boolean; json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const { tags: all, parents } = await call('listTags', {});
    const tags = once ? all.filter(({ memories }) => memories === 1) : all;
    if (json) return printJson({ tags });
    if (all.length === 0) return print('There are no tags. Add one with: recollect edit ID --tag TAG');
    if (tags.length === 0) return print('No tag is used only once.');
    printTable(
      [{ title: 'memories', width: 8 }, { title: 'tag' }],
      once ? tags.map(({ tag, memories }) => [String(memories), tag]) : treeRows(tagTree({ tags, parents })),
    );
  });
}

/** A row for each tag, indented below its parent, with the memories of the tags below it. */
function treeRows(nodes: readonly TagNode[], depth = 0): string[][] {
  return nodes.flatMap(({ tag, name, nested, children }) => [
    [String(nested), `${'  '.repeat(depth)}${depth === 0 ? tag : name}`],
    ...treeRows(children, depth + 1),
  ]);
}

async function rename(tagNames: string[], { to, json }: { to: string; json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const storedTags = await selectKnown(call, tagNames);
    // Each was reported.
    if (storedTags.length === 0) return;
    const started = await call('renameTags', { body: { tags: storedTags, to } });
    const answer = await followChange(started, followWith(call, json));
    report(answer, `${describeTags(storedTags)} renamed to ${inert(to)} on`, json);
  });
}

async function remove(tagNames: string[], { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const storedTags = await selectKnown(call, tagNames);
    if (storedTags.length === 0) return;
    const started = await call('removeTags', { body: { tags: storedTags } });
    const answer = await followChange(started, followWith(call, json));
    report(answer, `${describeTags(storedTags)} removed from`, json);
  });
}

/** The given tags that exist, in their stored spelling. Reports the others. */
async function selectKnown(call: CallOperation, tagNames: readonly string[]): Promise<string[]> {
  const { tags, parents } = await call('listTags', {});
  const spelled = new Map([...tags, ...parents].map(({ tag }) => [tagKey(tag), tag]));
  const storedTags = new Set<string>();
  for (const tag of tagNames.flatMap(splitTags)) {
    const spelling = spelled.get(tagKey(tag));
    if (spelling === undefined) reportFailure(inert(tag), 'There is no such tag. recollect tags lists them.');
    else storedTags.add(spelling);
  }
  return [...storedTags];
}

function report({ matched, changed, changeId }: ChangeAnswer, done: string, json = false): void {
  if (json) printJson({ matched, changed, changeId });
  else if (changeId === null) print('Nothing was changed.');
  else print(`${done} ${count(changed, 'memory', 'memories')}. ${undoAdvice(changeId)}`);
}

function describeTags(tags: readonly string[]): string {
  return tags.length === 1 ? inert(tags[0] ?? '') : `${tags.length} tags`;
}

function readTag(text: string): string {
  const tag = text.trim();
  if (tag !== '' && tag.length <= limits.capture.tagLength) return tag;
  throw new InvalidOptionError(`--to must have 1 to ${limits.capture.tagLength} characters.`);
}
