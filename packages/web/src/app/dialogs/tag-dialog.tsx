import '../styles/tag-dialog.css';
import { count, displayed, readTags, tagKey } from '@recollect/contract/text';
import { Button, Chip } from '@recollect/ui';
import { useEffect, useId, useState } from 'preact/hooks';
import { explain } from '../api/client.js';
import { rankTags } from '../search/rank-tags.js';
import type { Target } from '../state/changes.js';
import { items } from '../state/library.js';
import { colourOf, tagList, tags } from '../state/tags.js';
import { Dialog } from './dialog.js';
import { tagQuestion } from './selected-memories.js';

/** Tags offered at a time. */
const MAX_OFFERED = 8;

/** Asks for tags, and changes memories by them. */
export function TagDialog() {
  const question = tagQuestion.value;
  return question === null ? null : <Question key={question.title} {...question} />;
}

function Question({ title, target, change, removes }: NonNullable<typeof tagQuestion.value>) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(-1);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  useEffect(() => void tagList.load(), []);
  const { present, total } = presentTags(target);
  const known = removes && total > 0 ? (tags.value ?? []).filter(({ tag }) => countOf(present, tag) > 0) : tags.value;
  const offered = rankTags(typed, known ?? [])
    .filter((tag) => !chosen.includes(tag))
    .slice(0, MAX_OFFERED);
  const close = () => {
    tagQuestion.value = null;
  };
  const choose = (added: readonly string[], rest = '') => {
    setChosen([...new Set([...chosen, ...added])]);
    setTyped(rest);
    setActive(-1);
  };
  const onInput = (text: string) => {
    const end = text.lastIndexOf(',');
    setActive(-1);
    if (end < 0) setTyped(text);
    else choose(readTags(text.slice(0, end)), text.slice(end + 1).trimStart());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const tag = offered[active];
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') setActive(active + 1 < offered.length ? active + 1 : -1);
    else if (event.key === 'ArrowUp') setActive(active < 0 ? offered.length - 1 : active - 1);
    else if (event.key === 'Enter' && tag !== undefined) choose([tag]);
    else if (event.key === 'Backspace' && typed === '' && chosen.length > 0) setChosen(chosen.slice(0, -1));
    else return;
    event.preventDefault();
  };
  const all = [...new Set([...chosen, ...readTags(typed)])];
  const submit = async () => {
    if (isBusy || all.length === 0) return;
    setBusy(true);
    try {
      await change(target, all);
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
        {chosen.length > 0 && (
          <ul class="tag-chips" aria-label="Chosen tags">
            {chosen.map((tag) => (
              <li key={tag}>
                <Chip
                  label={tag}
                  dot={colourOf(tag) ?? undefined}
                  onRemove={() => setChosen(chosen.filter((other) => other !== tag))}
                />
              </li>
            ))}
          </ul>
        )}
        <label class="form-field">
          <span>Tags, separated by commas</span>
          <input
            class="field"
            role="combobox"
            autocomplete="off"
            aria-expanded={offered.length > 0}
            aria-autocomplete="list"
            aria-controls={id}
            aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
            value={typed}
            onInput={(event) => onInput(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </label>
        <div id={id} role="listbox" aria-label="Tags" class="tag-offers">
          {offered.map((tag, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys and names the chosen option.
            <div
              key={tag}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose([tag])}
            >
              <bdi>{displayed(tag)}</bdi>
              {countOf(present, tag) > 0 && (
                <span class="soft">
                  on {countOf(present, tag)} of {total}
                </span>
              )}
            </div>
          ))}
        </div>
        <p role="alert" class="form-problem">
          {problem}
        </p>
        <div class="form-actions">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={all.length === 0} aria-disabled={isBusy}>
            {all.length > 1 ? `${title.split(' ')[0]} ${count(all.length, 'tag', 'tags')}` : title}
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
