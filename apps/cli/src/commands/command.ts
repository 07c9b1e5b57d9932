import type { Command } from 'commander';
import { openRecollect, type Recollect } from '../compose.js';
import { readConfiguration } from '../config.js';

/** Adds itself to the program. One file a command. */
export type AddCommand = (program: Command) => void;

/** Runs work on the store, beside a running server or without one, and closes it again. */
export async function withRecollect<T>(work: (recollect: Recollect) => Promise<T>): Promise<T> {
  const recollect = await openRecollect(readConfiguration());
  let result: T;
  try {
    result = await work(recollect);
  } catch (error) {
    // The error of the work is the one to report.
    await recollect.close().catch(() => {});
    throw error;
  }
  await recollect.close();
  return result;
}

/** A whole number within bounds, for an option. */
export function wholeNumber(name: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= least && number <= most && /^\d+$/.test(text)) return number;
    throw new InvalidOptionError(`${name} must be a whole number from ${least} to ${most}.`);
  };
}

/** An option's value that cannot be used: wrong usage. */
export class InvalidOptionError extends Error {
  override readonly name = 'InvalidOptionError';
}
