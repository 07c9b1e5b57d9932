import { effect, type Signal, signal } from '@preact/signals';
import { ownName } from '../api/base-path.js';

/**
 * A choice that this browser keeps. The first is the usual one.
 *
 * @example
 * const view = storedChoice('recollect-view', ['comfortable', 'compact']);
 * view.value = 'compact';
 */
export function storedChoice<T extends string>(key: string, choices: readonly [T, ...T[]]): Signal<T> {
  const ownKey = ownName(key);
  const stored = localStorage.getItem(ownKey);
  const choice = signal(choices.find((known) => known === stored) ?? choices[0]);
  effect(() => {
    if (choice.value === choices[0]) localStorage.removeItem(ownKey);
    else localStorage.setItem(ownKey, choice.value);
  });
  return choice;
}
