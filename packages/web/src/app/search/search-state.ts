import { effect, signal } from '@preact/signals';
import {
  joinQuery,
  type Operator,
  splitQuery,
  unfinishedOperator,
  withOperator,
} from '@recollect/contract/query-syntax';
import { query } from '../state/query.js';

/** The operators of the query, which are shown as chips. */
export const chips = signal<readonly Operator[]>(splitQuery(query.peek()).operators);
/** The typed text besides the chips. */
export const typed = signal(splitQuery(query.peek()).words);

/**
 * The query to search for while a text is being typed behind chips. It leaves out an operator that is still being
 * typed, which would find nothing until it is complete.
 */
export function searchable(operators: readonly Operator[], text: string): string {
  return joinQuery(operators, text.slice(0, unfinishedOperator(text)?.start).trim());
}

/** Follows changes of the query that were not typed: by counts, the address, or Back. */
export function followChips(): () => void {
  return effect(() => {
    const next = query.value;
    if (next === searchable(chips.peek(), typed.peek())) return;
    const { operators, words } = splitQuery(next);
    chips.value = operators;
    typed.value = words;
  });
}

/**
 * Takes the typed text. An operator becomes a chip as soon as it is complete: a space or a quotation mark follows it.
 */
export function takeInput(text: string): string {
  const split = splitQuery(/[\s"]$/.test(text) ? text : '');
  if (split.operators.length > 0) {
    chips.value = split.operators.reduce(withOperator, [...chips.peek()]);
    typed.value = split.words === '' ? '' : `${split.words} `;
  } else typed.value = text;
  return searchable(chips.peek(), typed.peek());
}
