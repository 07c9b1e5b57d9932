import type { ChangeAnswer, ChangeRun } from '@recollect/contract';
import { count, tagKey, tagPath } from '@recollect/contract/text';
import { formatNumber } from '@recollect/ui/numbers';
import { client } from '../api/client.js';
import { toEnd, undoChange } from '../state/changes.js';
import { announce, succeeds } from '../state/status.js';
import { tagList, tags } from '../state/tags.js';
import { ask } from './ask.js';

/** Asks for a name, and renames or merges tags. Resolves to whether they have changed. */
export async function renameTags(old: readonly string[]): Promise<boolean> {
  const isMerge = old.length > 1;
  let isDone = false;
  await ask({
    title: isMerge ? `Merge ${formatNumber(old.length)} tags` : `Rename ${old[0]}`,
    text: isMerge ? old.join(', ') : 'A name that exists merges the two tags.',
    label: 'New name',
    value: old[0] ?? '',
    completes: 'tags',
    action: isMerge ? 'Merge' : 'Rename',
    submit: async (typed) => {
      // The server leaves out blank parts: the outcome names the stored tag.
      const to = tagPath(typed) || typed;
      if (!isMerge && to === old[0]) return;
      const request = client('renameTags', { body: { tags: [...old], to } });
      await change(request, `${old.join(', ')} renamed to ${spellingOf(to, old)}`);
      isDone = true;
    },
  });
  return isDone;
}

/** The name that the tags get: one that exists keeps its spelling. */
function spellingOf(to: string, old: readonly string[]): string {
  const same = (tags.value ?? []).find(({ tag }) => !old.includes(tag) && tagKey(tag) === tagKey(to));
  return same?.tag ?? to;
}

/** Removes tags, and those below them. Asks first if there are any below. Resolves to whether they are removed. */
export async function removeTags(old: readonly string[]): Promise<boolean> {
  const remove = () => change(client('removeTags', { body: { tags: [...old] } }), `${old.join(', ')} removed`);
  const below = tagsBelow(old);
  if (below.length === 0) return succeeds(remove());
  const answer = await ask({
    title: `Remove ${count(old.length + below.length, 'tag', 'tags')}?`,
    text: `This also removes the tags below: ${below.join(', ')}.`,
    action: 'Remove',
    isDangerous: true,
    submit: remove,
  });
  return answer !== null;
}

/** The tags below some tags, without those themselves. */
function tagsBelow(old: readonly string[]): string[] {
  const keys = old.map(tagKey);
  return (tags.value ?? [])
    .map(({ tag }) => tag)
    .filter((tag) => !keys.includes(tagKey(tag)) && keys.some((key) => tagKey(tag).startsWith(`${key}/`)));
}

async function change(request: Promise<ChangeAnswer | ChangeRun>, done: string): Promise<void> {
  const { changed, changeId } = await toEnd(request);
  announce(
    `${done} in ${count(changed, 'memory', 'memories')}.`,
    changeId === null
      ? undefined
      : async () => {
          await undoChange(changeId);
          await tagList.load();
        },
  );
  await tagList.load();
}
