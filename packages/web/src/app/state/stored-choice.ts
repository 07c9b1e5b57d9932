import { effect, type Signal, signal } from '@preact/signals';

/**
 * A choice that this browser keeps. The first is the usual one.
 *
 * @example
 * const view = storedChoice('recollect-view', ['comfortable', 'compact']);
 * view.value = 'compact';
 */
export function storedChoice<T extends string>(key: string, choices: readonly [T, ...T[]]): Signal<T> {
  const stored = localStorage.getItem(key);
  const choice = signal(choices.find((known) => known === stored) ?? choices[0]);
  effect(() => {
    if (choice.value === choices[0]) localStorage.removeItem(key);
    else localStorage.setItem(key, choice.value);
  });
  return choice;
}
