import { Menu } from './menu.js';
import { chooseText, type TextSettings, textChoices, textSettings } from './text-settings.js';

const NAMES: Readonly<Record<string, string>> = {
  size: 'Size',
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  larger: 'Larger',
  font: 'Typeface',
  sans: 'Sans serif',
  serif: 'Serif',
  width: 'Width',
  narrow: 'Narrow',
  wide: 'Wide',
};

/** How the text looks: its size, its typeface and its width. */
export function TextMenu() {
  return (
    <Menu label="Text settings" icon="text" closesOnPress={false}>
      {(Object.keys(textChoices) as (keyof TextSettings)[]).map((name) => (
        <fieldset key={name} class={`text-choice ${name}`}>
          <legend>{NAMES[name]}</legend>
          <div class="segments">
            {textChoices[name].map((value) => (
              <label key={value}>
                <input
                  type="radio"
                  name={`text-${name}`}
                  checked={textSettings.value[name] === value}
                  onChange={() => chooseText(name, value)}
                />
                <span>{NAMES[value]}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
    </Menu>
  );
}
