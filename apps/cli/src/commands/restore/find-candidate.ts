import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { formatBytes } from '@recollect/contract/text';
import { RecollectError, type StoredBackup } from '@recollect/core';
import type { Restorer } from '../../compose/repair.js';
import type { Configuration } from '../../config.js';
import { readPassphraseFile, readPreviousPassphrase } from '../../passphrase-file.js';
import { askPassphrase } from '../../terminal/ask-passphrase.js';
import { ago, inert, print, printJson, style } from '../../terminal/output.js';
import { explainProblem, type Problem } from './explain-problem.js';

/** Prints the backups with their checks. */
export function listBackups(backups: readonly StoredBackup[], folder: string, json: boolean): void {
  if (json) printJson({ folder, backups: backups.map(({ sequence: _, ...backup }) => backup) });
  else if (backups.length === 0) print(`There are no backups in ${inert(folder)}. Make one with: recollect backup`);
  else printBackups(backups);
}

const WIDTHS = [14, 9, 9, 9];

/** Two lines for each, so that a path is printed as a whole, however narrow the terminal is. */
function printBackups(backups: readonly StoredBackup[]): void {
  const row = (...cells: readonly string[]) => cells.map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0)).join('  ');
  print(style('dim', row('made', 'kind', 'memories', 'size', 'check')));
  for (const { at, kind, memories, bytes, isVerified, isEncrypted, path } of backups) {
    const check = isVerified ? (isEncrypted ? 'encrypted' : 'good') : 'failed';
    print(row(ago(at), kind, memories === null ? '?' : String(memories), formatBytes(bytes, 'en'), check));
    print(style('dim', `  ${inert(path)}`));
  }
}

/** A backup that has been checked and is ready to be put in place. */
export interface Candidate {
  path: string;
  /** When it was made. Null if its name does not say. */
  at: string | null;
  bytes: number;
  memories: number;
  /** The id of the model that embedded the most of them; null if none did. */
  model: string | null;
  isEncrypted: boolean;
}

export interface Search {
  /** Undefined: the newest good backup is looked for. */
  file: string | undefined;
  restorer: Restorer;
  replacement: Awaited<ReturnType<Restorer['open']>>;
  configuration: Configuration;
  signal: AbortSignal;
  /** Whether a passphrase may be typed; true by default. */
  mayAsk?: boolean;
}

/**
 * Checks the given file, or the backups from the newest on until one is good. Throws if there is none, or if a
 * passphrase is missing or wrong: an older backup would be a surprise.
 */
export async function findCandidate(search: Search): Promise<Candidate> {
  const { file, restorer, configuration } = search;
  if (file !== undefined) return check(resolve(file), null, search);
  const backups = await restorer.list();
  for (const { path, at } of backups) {
    try {
      return await check(path, at, search);
    } catch (error) {
      if (!(error instanceof UnusableError)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
  }
  const folder = configuration.backups.folder;
  throw new RecollectError(
    'NOT_FOUND',
    backups.length === 0
      ? `There are no backups in ${folder}. Name a file, or set RECOLLECT_BACKUP_DIR to the folder of the backups.`
      : `No backup in ${folder} can be restored. Nothing was changed.`,
  );
}

/** One backup cannot be restored; another may be. */
class UnusableError extends RecollectError {
  constructor(problem: Problem, path: string) {
    super('BACKUP_FAILED', explainProblem(problem, path));
  }
}

async function check(path: string, at: string | null, search: Search): Promise<Candidate> {
  const { restorer, replacement, configuration, signal, mayAsk } = search;
  const { lookAtFile, readReport, stageBackup } = restorer;
  const look = await lookAtFile(path).catch((error) => refuseUnreadable(error, path));
  if (!look.exists) throw new UnusableError('missing', path);
  if (await isSameFile(path, join(configuration.dataFolder, 'recollect.db'))) {
    throw new UnusableError('store', path);
  }
  const { bytes, isEncrypted } = look;
  const passphrase = isEncrypted ? await findPassphrase(configuration, mayAsk) : null;
  const write = async (target: string) => {
    const staged = await stageBackup(path, target, { passphrase, signal }).catch((error) =>
      refuseUnreadable(error, path),
    );
    if (staged === 'wrong-passphrase') throw new RecollectError('BACKUP_FAILED', explainProblem(staged, path));
    if (staged !== 'done') throw new UnusableError(staged, path);
  };
  const inspection = await replacement.stage(bytes, write, signal);
  if (!inspection.isGood) throw new UnusableError(inspection.problem, path);
  const report = isEncrypted ? null : await readReport(path);
  if (report !== null && report.sha256 !== inspection.sha256) throw new UnusableError('damaged', path);
  const { memories, model } = inspection;
  return { path, at, bytes, memories, model, isEncrypted };
}

/** Error codes for a file that cannot be read, while another one may be readable. */
const UNREADABLE = ['EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOENT', 'EISDIR'];

function refuseUnreadable(error: unknown, path: string): never {
  const isUnreadable = UNREADABLE.includes((error as NodeJS.ErrnoException).code ?? '');
  throw isUnreadable ? new UnusableError('unreadable', path) : error;
}

async function isSameFile(firstPath: string, secondPath: string): Promise<boolean> {
  const [first, second] = await Promise.all([firstPath, secondPath].map((path) => realpath(path).catch(() => null)));
  return first !== null && first === second;
}

/** The passphrase of an encrypted backup: of the passphrase file, or typed. Throws if there is none. */
export async function findPassphrase({ backups }: Configuration, mayAsk = true): Promise<string> {
  const { passphraseFile } = backups;
  if (passphraseFile !== null)
    return readPassphraseFile(passphraseFile).catch(async (error) => {
      const previous = await readPreviousPassphrase(passphraseFile).catch(() => '');
      if (previous === '') throw error;
      return previous;
    });
  const passphrase = mayAsk && process.stdin.isTTY ? await askPassphrase('Passphrase of the backup') : null;
  if (passphrase !== null) return passphrase;
  throw new RecollectError(
    'BACKUP_FAILED',
    'The backup is encrypted. Nothing was changed. Type its passphrase on a terminal, or set RECOLLECT_BACKUP_PASSPHRASE_FILE to a file that contains it.',
  );
}
