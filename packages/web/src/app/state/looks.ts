import { effect } from '@preact/signals';
import { storedChoice } from './stored-choice.js';

export const views = ['comfortable', 'compact', 'cards'] as const;

/** How the list looks. Results of a search are rows in every view, since their order and their passages matter. */
export const view = storedChoice('recollect-view', views);

/** How a time is shown: its age, or its date. */
export const dateStyle = storedChoice('recollect-dates', ['age', 'date']);

/** The colours and the text size of the app, as this browser keeps them. The first of each is the usual one. */
export const looks = {
  theme: storedChoice('recollect-theme', ['system', 'light', 'dark']),
  accent: storedChoice('recollect-accent', ['blue', 'green', 'violet', 'rose', 'amber']),
  textSize: storedChoice('recollect-text-size', ['usual', 'small', 'large', 'largest']),
};

/** Applies the chosen looks to the page, now and when they change. */
export function applyLooks(): void {
  for (const [name, look] of Object.entries(looks)) {
    effect(() => {
      document.documentElement.dataset[name] = look.value;
    });
  }
}
