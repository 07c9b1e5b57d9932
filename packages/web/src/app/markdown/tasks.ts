/** A box of a task list. */
export interface Task {
  /** Where its mark is in the text: the space or the x of `[ ]` or `[x]`. */
  at: number;
  isDone: boolean;
}

/** The beginning of a quote or a list item. */
const CONTAINER = /[ \t]*(?:>|(?<item>[-+*]|\d{1,9}[.)])[ \t]+)/y;
/** The beginning of a list item that is a task. */
const BOX = /\[([ xX])\][ \t]+\S/y;
const FENCE = /^[ \t>]*(?:[-+*][ \t]+)?(`{3,}|~{3,})/;

/** The boxes of the task lists in a Markdown text, in their order. */
export function findTasks(text: string): Task[] {
  const tasks: Task[] = [];
  let [at, fence] = [0, ''];
  for (const line of text.split('\n')) {
    const [, marker = ''] = FENCE.exec(line) ?? [];
    if (fence === '') fence = marker;
    else if (marker.startsWith(fence)) fence = '';
    const place = fence === '' ? findBox(line) : null;
    if (place !== null) tasks.push({ at: at + place + 1, isDone: line[place + 1] !== ' ' });
    at += line.length + 1;
  }
  return tasks;
}

/**
 * Where a line has the box of a task: behind quotes and list items, the last of which it begins. Null if it has none.
 */
function findBox(line: string): number | null {
  let place = 0;
  let isInItem = false;
  for (;;) {
    CONTAINER.lastIndex = place;
    const container = CONTAINER.exec(line);
    if (container === null) break;
    place = CONTAINER.lastIndex;
    isInItem = container.groups?.item !== undefined;
  }
  BOX.lastIndex = place;
  return isInItem && BOX.test(line) ? place : null;
}

/** The text with one of its boxes ticked or not; unchanged if there is no such box. */
export function setTask(text: string, index: number, isDone: boolean): string {
  const at = findTasks(text)[index]?.at;
  return at === undefined ? text : `${text.slice(0, at)}${isDone ? 'x' : ' '}${text.slice(at + 1)}`;
}

/** Whether two texts differ at most in their ticked boxes. */
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
