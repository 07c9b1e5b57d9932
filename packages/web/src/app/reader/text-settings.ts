import { signal } from '@preact/signals';
import { ownName } from '../api/base-path.js';

/** The settings for the text of the reader. */
export const textChoices = {
  size: ['small', 'medium', 'large', 'larger', 'largest'],
  font: ['serif', 'sans'],
  width: ['narrow', 'medium', 'wide'],
  leading: ['tight', 'normal', 'loose'],
  theme: ['app', 'light', 'sepia', 'dark'],
} as const;

export type TextSettings = { [Name in keyof typeof textChoices]: (typeof textChoices)[Name][number] };

const STORAGE_KEY = ownName('recollect-text-settings');
const DEFAULT: TextSettings = {
  size: 'medium',
  font: 'serif',
  width: 'medium',
  leading: 'normal',
  theme: 'app',
};

/** How the text of the reader looks, which this browser remembers. */
export const textSettings = signal<TextSettings>(read());

/** Changes one of the settings, and remembers it. */
export function chooseText<Name extends keyof TextSettings>(name: Name, value: TextSettings[Name]): void {
  textSettings.value = { ...textSettings.peek(), [name]: value };
  localStorage.setItem(STORAGE_KEY, JSON.stringify(textSettings.peek()));
}

function read(): TextSettings {
  try {
    const stored: Partial<Record<string, unknown>> = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    const valid = Object.entries(textChoices).filter(([name, values]) =>
      (values as readonly unknown[]).includes(stored[name]),
    );
    return { ...DEFAULT, ...Object.fromEntries(valid.map(([name]) => [name, stored[name]])) };
  } catch {
    return DEFAULT;
  }
}
