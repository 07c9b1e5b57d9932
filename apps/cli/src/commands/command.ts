import type { Command } from 'commander';
import type { Recollect, Use } from '../compose.js';
import { readConfiguration } from '../config.js';
import type { Executor } from '../executor/executor.js';
import { openExecutor } from '../executor/open-executor.js';

/** Adds a command to the program. Each command has its own file. */
export type AddCommand = (program: Command) => void;

/** Has the work done by the running server of the store, or in this process if there is none. */
export async function withExecutor<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
  return andClose(await openExecutor(readConfiguration()), work);
}

/** Opens the store, with or without a running server, for work that a server cannot do for a command. */
export async function withRecollect<T>(work: (recollect: Recollect) => Promise<T>, use: Use = 'command'): Promise<T> {
  const { openRecollect } = await import('../compose.js');
  return andClose(await openRecollect(readConfiguration(), use), work);
}

async function andClose<Opened extends { close(): Promise<void> }, T>(
  opened: Opened,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await work(opened);
  } catch (error) {
    // Report the error of the work, not one from closing.
    await opened.close().catch(() => {});
    throw error;
  }
  await opened.close();
  return result;
}

/** Parses an option that may be repeated. */
export function addValue(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Returns a parser for an option whose value is a whole number within bounds. */
export function integerInRange(name: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= least && number <= most && /^\d+$/.test(text)) return number;
    throw new InvalidOptionError(`${name} must be a whole number from ${least} to ${most}.`);
  };
}

/** Parses an option whose value is a number in a range. Throws {@link InvalidOptionError}. */
export function numberInRange(name: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() !== '' && number >= least && number <= most) return number;
    throw new InvalidOptionError(`${name} must be a number from ${least} to ${most}.`);
  };
}

/** An invalid argument or option value: wrong usage. */
export class InvalidOptionError extends Error {
  override readonly name = 'InvalidOptionError';
}
