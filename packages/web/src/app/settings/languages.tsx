import type { ModelState } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import type { ShippedModel } from '@recollect/contract/vocabulary';
import { Button } from '@recollect/ui';
import { useState } from 'preact/hooks';
import { addressOf } from '../api/base-path.js';
import { client, explain } from '../api/client.js';
import { announceFailure } from '../state/status.js';
import { useResource } from '../state/use-resource.js';
import { EmbeddingProgress, isEmbedding } from './health.js';
import { Section } from './section.js';

/** Poll interval in milliseconds while the server starts again, or makes embeddings. */
const LOOK_EVERY = 1_000;

/** The languages that search by meaning reads: the choice of the embedding model. */
export function Languages() {
  const models = useResource(() => client('getModel', {}), {
    poll: ({ next }) => (next === null ? null : LOOK_EVERY),
  });
  const embeddings = useResource(() => client('reindexState', {}), {
    changes: 'any',
    poll: (state) => (isEmbedding(state) || models.value?.next ? LOOK_EVERY : null),
  });
  const choose = async (model: ShippedModel) => {
    try {
      await client('chooseModel', { body: { model } });
    } catch (error) {
      announceFailure(explain(error));
    }
    await models.reload();
  };
  return (
    <Section
      problem={models.problem}
      isLoading={models.value === null || (embeddings.value === null && embeddings.problem === '')}
    >
      {models.value !== null && (
        <div class="settings-card">
          <Choice key={models.value.model} {...models.value} onChoose={choose} />
        </div>
      )}
      {embeddings.value !== null && models.value?.next === null && <EmbeddingProgress {...embeddings.value} />}
      <p class="soft">
        Search by word works in every language. <a href={addressOf('/docs/languages')}>What each model finds</a>
      </p>
    </Section>
  );
}

function Choice({
  model,
  next,
  setting,
  models,
  onChoose,
}: ModelState & { onChoose: (model: ShippedModel) => Promise<void> }) {
  const [chosen, setChosen] = useState(model);
  const isChanging = next !== null;
  if (models.length === 0) return <p class="setting soft">This store has no choice of models.</p>;
  return (
    <>
      <fieldset class="checks languages" disabled={setting !== null || isChanging}>
        <legend>Search by meaning in</legend>
        {models.map(({ name, languages }) => (
          <label key={name} title={listLanguages(languages)}>
            <input type="radio" name="model" checked={chosen === name} onChange={() => setChosen(name)} />
            <span>{describeLanguages(languages)}</span>
          </label>
        ))}
      </fieldset>
      {setting === null && model === null && <p class="setting">A model of your own is used now.</p>}
      {setting !== null && <p class="setting">The setting {setting} decides which model is used.</p>}
      {setting === null && chosen !== null && (chosen !== model || isChanging) && (
        <div class="setting">
          <p>
            Recollect restarts and re-indexes your memories in the background. A running import or backup stops.
            {model !== null && ' Search keeps working, and you can switch back at any time.'}
          </p>
          <Button onClick={() => void (isChanging || onChoose(chosen))}>{isChanging ? 'Changing …' : 'Change'}</Button>
        </div>
      )}
    </>
  );
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });
const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/** @example describeLanguages(['de', 'en']) // 'English and 1 more language' */
function describeLanguages(tags: readonly string[]): string {
  const [first = '', ...more] = tags.includes('en') ? ['en', ...tags.filter((tag) => tag !== 'en')] : tags;
  const name = LANGUAGE_NAMES.of(first) ?? first;
  return more.length === 0 ? `${name} only (fastest)` : `${name} and ${count(more.length, 'more language')}`;
}

/** @example listLanguages(['de', 'en']) // 'English and German' */
function listLanguages(tags: readonly string[]): string {
  return LIST.format(tags.map((tag) => LANGUAGE_NAMES.of(tag) ?? tag).sort());
}
