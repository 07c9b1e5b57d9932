import { signal } from '@preact/signals';
import { explain } from '../api/client.js';

/** Milliseconds that an outcome, and the chance to undo it, stay. */
const SHOWN_FOR = 10_000;

export interface Outcome {
  text: string;
  tone: 'working' | 'done' | 'failed';
  undo?: (() => Promise<void>) | undefined;
}

/** The outcome of the last action; null when there is none to show. */
export const outcome = signal<Outcome | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the outcome of an action for ten seconds. */
export function announce(text: string, undo?: () => Promise<void>): void {
  show({ text, tone: 'done', undo });
}

/** Shows the current action until its outcome is announced. */
export function announceProgress(text: string): void {
  clearTimeout(timer);
  outcome.value = { text, tone: 'working' };
}

/** Shows why an action failed. If it was an undo, it can be tried again. */
export function announceFailure(text: string, undo?: () => Promise<void>): void {
  show({ text, tone: 'failed', undo });
}

/** Announces why a piece of work failed. Resolves to whether it succeeded. */
export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    announceFailure(explain(error));
    return false;
  }
}

export function dismiss(): void {
  clearTimeout(timer);
  outcome.value = null;
}

/** Keeps the outcome while the pointer or the focus is on it. */
export function keepOutcome(): void {
  clearTimeout(timer);
}

export function releaseOutcome(): void {
  clearTimeout(timer);
  if (outcome.value?.tone !== 'working') timer = setTimeout(dismiss, SHOWN_FOR);
}

function show(next: Outcome): void {
  outcome.value = next;
  releaseOutcome();
}
