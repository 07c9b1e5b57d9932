import type { Signal } from '@preact/signals';
import { dateStyle, looks, view } from '../state/looks.js';
import { Section } from './section.js';
import { ChoiceSetting } from './setting.js';

/** How the app looks in this browser. */
export function Appearance() {
  return (
    <Section>
      <p class="soft">This browser keeps these choices. The reader has its own text size, under “Text settings”.</p>
      <div class="settings-card">
        <Look title="Colours" description="Light, dark, or as your system." look={looks.theme} names={THEMES} />
        <Look
          title="Accent"
          description="Links, buttons and selections."
          look={looks.accent}
          names={ACCENTS}
          isAccent
        />
        <Look title="Text size" description="Text and controls of the whole app." look={looks.textSize} names={SIZES} />
        <Look title="Density" description="How much of each memory the list shows." look={view} names={VIEWS} />
        <Look title="Dates" description="“3 days ago”, or the date." look={dateStyle} names={DATES} />
      </div>
    </Section>
  );
}

const THEMES = { system: 'Match system', light: 'Light', dark: 'Dark' };
const ACCENTS = { blue: 'Blue', green: 'Green', violet: 'Violet', rose: 'Rose', amber: 'Amber' };
const SIZES = { small: 'Small', usual: 'Normal', large: 'Large', largest: 'Largest' };
const VIEWS = { comfortable: 'Comfortable', compact: 'Compact', cards: 'Cards' };
const DATES = { age: 'Age', date: 'Date' };

interface LookProps<Choice extends string> {
  title: string;
  description: string;
  look: Signal<Choice>;
  names: Readonly<Record<Choice, string>>;
  isAccent?: boolean;
}

function Look<Choice extends string>({ look, ...setting }: LookProps<Choice>) {
  const choose = (choice: Choice) => {
    look.value = choice;
  };
  return <ChoiceSetting {...setting} chosen={look.value} onChoose={choose} />;
}
