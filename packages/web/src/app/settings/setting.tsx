import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SettingProps {
  title: string;
  description?: ComponentChildren;
  /** The control, which needs an accessible name that is right without the title. */
  children?: ComponentChildren;
}

/** A line of a card of settings: a title and a description, and the control at the end. */
export function Setting({ title, description, children }: SettingProps) {
  return (
    <div class="setting">
      <Label title={title} description={description} />
      {children}
    </div>
  );
}

interface ChoiceProps<Choice extends string> {
  title: string;
  description: string;
  /** The choices with their names, in their order. */
  names: Readonly<Record<Choice, string>>;
  chosen: Choice;
  onChoose: (choice: Choice) => void;
  /** Whether the choices are accents, which a dot shows. */
  isAccent?: boolean;
}

/** A setting that is one of a few choices, which all are shown. */
export function ChoiceSetting<Choice extends string>(props: ChoiceProps<Choice>) {
  const { title, description, names, chosen, onChoose, isAccent = false } = props;
  const id = useId();
  return (
    <div class="setting" role="radiogroup" aria-labelledby={id}>
      <Label title={title} description={description} id={id} />
      <div class="setting-choices">
        {(Object.keys(names) as Choice[]).map((choice) => (
          <label key={choice} data-accent={isAccent ? choice : undefined}>
            <input type="radio" name={id} checked={chosen === choice} onChange={() => onChoose(choice)} />
            {names[choice]}
          </label>
        ))}
      </div>
    </div>
  );
}

function Label({ title, description, id }: { title: string; description: ComponentChildren; id?: string }) {
  return (
    <div>
      <div class="setting-title" id={id}>
        {title}
      </div>
      {description !== undefined && <div class="soft">{description}</div>}
    </div>
  );
}
