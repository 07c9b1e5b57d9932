import { signal } from '@preact/signals';
import { displayed } from '@recollect/contract/text';
import { Button } from '@recollect/ui';
import { useId, useState } from 'preact/hooks';
import { explain } from '../api/client.js';
import { TagOptions } from '../search/tag-options.js';
import { Dialog } from './dialog.js';

interface Question {
  title: string;
  /** The explanation above the field and the buttons. */
  text?: string;
  /** The name of the field. Without one, the user only confirms. */
  label?: string;
  value?: string;
  /** Whether an empty field is an answer. */
  isOptional?: boolean;
  /** The label of the button that confirms. */
  action: string;
  isDangerous?: boolean;
  /** The suggestions of the field. */
  completes?: 'tags';
  /** Runs the confirmed action. If it fails, the dialog stays open with the typed text and says why. */
  submit?: (value: string) => Promise<unknown>;
}

const openQuestion = signal<{ question: Question; answer: (value: string | null) => void } | null>(null);

/**
 * Asks the user in a dialog. Resolves to the typed text, or an empty text for a mere confirmation;
 * null if it was cancelled.
 *
 * @example
 * const answer = await ask({ title: 'Empty the trash?', action: 'Delete permanently', isDangerous: true });
 * await ask({ title: 'Rename', label: 'New name', action: 'Rename', submit: (name) => rename(name) });
 */
export function ask(question: Question): Promise<string | null> {
  openQuestion.value?.answer(null);
  return new Promise((resolve) => {
    const answer = (value: string | null) => {
      // Cancelled while it was sent, another question may have followed.
      if (openQuestion.value?.question === question) openQuestion.value = null;
      resolve(value);
    };
    openQuestion.value = { question, answer };
  });
}

/** The dialog of {@link ask}. */
export function AskDialog() {
  if (openQuestion.value === null) return null;
  const { question, answer } = openQuestion.value;
  return <QuestionDialog key={question.title} question={question} answer={answer} />;
}

function QuestionDialog({ question, answer }: { question: Question; answer: (value: string | null) => void }) {
  const { title, text, label, action, isOptional = false, isDangerous = false, completes } = question;
  const [value, setValue] = useState(question.value ?? '');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const listId = useId();
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await question.submit?.(value);
      answer(value);
    } catch (error) {
      setProblem(explain(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={displayed(title)} onClose={() => answer(null)}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {text !== undefined && <p>{displayed(text)}</p>}
        {label !== undefined && (
          <label class="form-field">
            <span>{label}</span>
            <input
              class="field"
              value={value}
              autocomplete="off"
              list={completes === undefined ? undefined : listId}
              // Typing replaces the suggestion.
              onFocus={(event) => event.currentTarget.select()}
              onInput={(event) => setValue(event.currentTarget.value)}
            />
          </label>
        )}
        {completes === 'tags' && <TagOptions id={listId} typed={value} />}
        <p role="alert" class="form-problem">
          {problem}
        </p>
        <div class="form-actions">
          <Button onClick={() => answer(null)}>Cancel</Button>
          <Button
            type="submit"
            variant={isDangerous ? 'danger' : 'primary'}
            disabled={label !== undefined && !isOptional && value.trim() === ''}
            aria-disabled={isBusy}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
