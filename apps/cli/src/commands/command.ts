import { RecollectError } from '@recollect/core';
import type { Command } from 'commander';
import type { Use } from '../compose/models.js';
import type { Recollect } from '../compose/open-recollect.js';
import { readConfiguration } from '../config.js';
import type { Executor } from '../executor/executor.js';
import { openExecutor } from '../executor/open-executor.js';
import { inert } from '../terminal/output.js';

/** Adds a command to the program. Each command has its own file. */
export type AddCommand = (program: Command) => void;

/** Has the work done by the running server of the store, or in this process if there is none. */
export async function withExecutor<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
  return andClose(await openExecutor(readConfiguration()), work);
}

/** Opens the store, with or without a running server, for work that a server cannot do for a command. */
export async function withRecollect<T>(work: (recollect: Recollect) => Promise<T>, use: Use = 'command'): Promise<T> {
  const { openRecollect } = await import('../compose/open-recollect.js');
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

/** Does the work for each id. Reports an id that fails, and continues with the others. Returns the results. */
export async function forEachId<T>(ids: readonly string[], work: (id: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const id of new Set(ids)) {
    try {
      results.push(await work(id));
    } catch (error) {
      if (!(error instanceof RecollectError)) throw error;
      reportFailure(inert(id), error.message);
    }
  }
  return results;
}

/** Reports that the work failed for one of several. The command then exits with 1. */
export function reportFailure(name: string, reason: string): void {
  process.stderr.write(`${name}: ${reason}\n`);
  process.exitCode = 1;
}

/** Aborts when the user or the system asks the process to stop. A second signal is ignored. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/** Replaces an error by "Stopped" if the user has stopped the work, which has changed nothing yet. */
export function unlessStopped(signal: AbortSignal, error: unknown): unknown {
  return signal.aborted ? stopped() : error;
}

/** Throws if the user has stopped the work, which has changed nothing yet. */
export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw stopped();
}

function stopped(): RecollectError {
  return new RecollectError('UNAVAILABLE', 'Stopped. Nothing was changed.');
}
