import { count, readTags, tagKey } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useEffect, useState } from 'preact/hooks';
import { explain } from '../api/client.js';
import { TagField } from '../search/tag-field.js';
import type { Target } from '../state/changes.js';
import { items } from '../state/library.js';
import { tagList, tags } from '../state/tags.js';
import { Dialog } from './dialog.js';
import { tagQuestion } from './selected-memories.js';

/** Asks for tags, and changes memories by them. */
export function TagDialog() {
  const question = tagQuestion.value;
  return question === null ? null : <Question key={question.title} {...question} />;
}

function Question({ title, target, change, removes }: NonNullable<typeof tagQuestion.value>) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => void tagList.load(), []);
  const { present, total } = presentTags(target);
  const all = tags.value ?? [];
  const known = removes && total > 0 ? all.filter(({ tag }) => countOf(present, tag) > 0) : all;
  const describe = (tag: string) => (countOf(present, tag) > 0 ? `on ${countOf(present, tag)} of ${total}` : '');
  const chosen = readTags(typed);
  const close = () => {
    tagQuestion.value = null;
  };
  const submit = async () => {
    if (isBusy || chosen.length === 0) return;
    setBusy(true);
    try {
      await change(target, chosen);
      close();
    } catch (error) {
      setProblem(explain(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TagField
          label="Tags, separated by commas"
          hasLabel
          value={typed}
          onValue={setTyped}
          known={known}
          describe={describe}
        />
        <p role="alert" class="form-problem">
          {problem}
        </p>
        <div class="form-actions">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={chosen.length === 0} aria-disabled={isBusy}>
            {chosen.length > 1 ? `${title.split(' ')[0]} ${count(chosen.length, 'tag', 'tags')}` : title}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** How many of the listed memories that will be changed have each tag, by its key; none for a whole list. */
function presentTags(target: Target): { present: Map<string, number>; total: number } {
  const ids = new Set(Array.isArray(target) ? (target as readonly string[]) : []);
  const changed = (items.value ?? []).filter((item) => ids.has(item.id));
  const present = new Map<string, number>();
  for (const tag of changed.flatMap((item) => item.tags)) {
    const key = tagKey(tag);
    present.set(key, (present.get(key) ?? 0) + 1);
  }
  return { present, total: changed.length };
}

function countOf(present: ReadonlyMap<string, number>, tag: string): number {
  return present.get(tagKey(tag)) ?? 0;
}
