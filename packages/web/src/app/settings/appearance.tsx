import { useState } from 'preact/hooks';
import { chooseTheme, readTheme, type Theme, themes } from '../shell/theme.js';
import { Section } from './section.js';

const NAMES: Readonly<Record<Theme, string>> = { system: 'Match system', light: 'Light', dark: 'Dark' };

/** Light or dark. */
export function Appearance() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <Section>
      <fieldset class="checks">
        <legend>Colours</legend>
        {themes.map((option) => (
          <label key={option}>
            <input
              type="radio"
              name="theme"
              checked={theme === option}
              onChange={() => {
                chooseTheme(option);
                setTheme(option);
              }}
            />
            {NAMES[option]}
          </label>
        ))}
      </fieldset>
    </Section>
  );
}
