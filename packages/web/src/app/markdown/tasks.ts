/** A box of a task list. */
export interface Task {
  /** Where its mark is in the text: the space or the x of `[ ]` or `[x]`. */
  at: number;
  isDone: boolean;
}

/** Quotes and list items, the last of which begins with a box. */
const TASK = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t]+))*[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+\S/;
const FENCE = /^[ \t>]*(?:[-+*][ \t]+)?(`{3,}|~{3,})/;

/** The boxes of the task lists in a Markdown text, in their order. */
export function findTasks(text: string): Task[] {
  const tasks: Task[] = [];
  let [at, fence] = [0, ''];
  for (const line of text.split('\n')) {
    const [, marker = ''] = FENCE.exec(line) ?? [];
    if (fence === '') fence = marker;
    else if (marker.startsWith(fence)) fence = '';
    const mark = fence === '' ? TASK.exec(line)?.[1] : undefined;
    if (mark !== undefined) tasks.push({ at: at + line.indexOf(`[${mark}]`) + 1, isDone: mark !== ' ' });
    at += line.length + 1;
  }
  return tasks;
}

/** The text with one of its boxes ticked or not; unchanged if there is no such box. */
export function setTask(text: string, index: number, isDone: boolean): string {
  const at = findTasks(text)[index]?.at;
  return at === undefined ? text : `${text.slice(0, at)}${isDone ? 'x' : ' '}${text.slice(at + 1)}`;
}

/** Whether two texts differ only in what is ticked, if at all. */
export function isSameButForTasks(one: string, other: string): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  const [tasks, others] = [findTasks(one), findTasks(other)];
  if (tasks.length !== others.length || tasks.some(({ at }, index) => others[index]?.at !== at)) return false;
  let start = 0;
  for (const { at } of tasks) {
    if (one.slice(start, at) !== other.slice(start, at)) return false;
    start = at + 1;
  }
  return one.slice(start) === other.slice(start);
}
