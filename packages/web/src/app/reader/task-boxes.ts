import { findTasks } from '../markdown/tasks.js';

/** The displayed boxes of the task lists in a text. */
export function taskBoxes(root: HTMLElement): HTMLInputElement[] {
  return [...root.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')];
}

/** Enables the boxes if they match the boxes of the text exactly; ticking one changes the text. */
export function enableTasks(root: HTMLElement, text: string): void {
  const boxes = taskBoxes(root);
  const tasks = findTasks(text);
  if (boxes.length !== tasks.length || boxes.some(({ checked }, at) => checked !== tasks[at]?.isDone)) return;
  for (const box of boxes) box.disabled = false;
}

/** Ticks the boxes as in the text. Returns whether the text has exactly these boxes. */
export function showTasks(root: HTMLElement, text: string): boolean {
  const boxes = taskBoxes(root);
  const tasks = findTasks(text);
  if (boxes.length !== tasks.length) return false;
  for (const [at, box] of boxes.entries()) box.checked = tasks[at]?.isDone === true;
  return true;
}
