import type { Actor } from '@recollect/contract';
import type { Command } from 'commander';
import { openRecollect, type Recollect } from '../compose.js';
import { readConfiguration } from '../config.js';

/** Who changes memories on the command line. */
export const COMMAND_LINE: Actor = { client: 'cli', name: null, key: null };

/** Adds a command to the program. Each command has its own file. */
export type AddCommand = (program: Command) => void;

/** Opens the store, with or without a running server, runs the work and closes the store. */
export async function withRecollect<T>(work: (recollect: Recollect) => Promise<T>): Promise<T> {
  const recollect = await openRecollect(readConfiguration());
  let result: T;
  try {
    result = await work(recollect);
  } catch (error) {
    // Report the error of the work, not one from closing.
    await recollect.close().catch(() => {});
    throw error;
  }
  await recollect.close();
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

/** An invalid argument or option value: wrong usage. */
export class InvalidOptionError extends Error {
  override readonly name = 'InvalidOptionError';
}
