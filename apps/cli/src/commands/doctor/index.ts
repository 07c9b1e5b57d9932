import {
  type DoctorReport,
  examine,
  type Finding,
  failure,
  ok,
  RecollectError,
  reportOf,
  warning,
} from '@recollect/core';
import { type Configuration, ConfigurationError, readConfiguration, unknownSettings } from '../../config.js';
import { connectTo } from '../../executor/send-request.js';
import { localAddress } from '../../server-address.js';
import { inert, print, printJson, style } from '../../terminal/output.js';
import { showProgress } from '../../terminal/progress.js';
import { version } from '../../version.js';
import { type AddCommand, InvalidOptionError, stopSignal } from '../command.js';
import { addDoctorSearch } from './doctor-search.js';
import { salvageTo } from './salvage-to.js';

/** An instant as programs write it, and not as a part of a file's name. */
const INSTANT = /(?<![\w./-])\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/g;

/**
 * Replaces instants in a message by times as people write them, in the time zone of this machine.
 *
 * @example
 * readableTimes('The newest backup is of 2026-08-20T14:03:00Z.'); // 'The newest backup is of 20 Aug 2026.'
 */
export function readableTimes(message: string, now = new Date()): string {
  return message.replace(INSTANT, (instant) => {
    const time = new Date(instant);
    return Number.isNaN(time.getTime()) ? instant : inWords(time, now);
  });
}

/** The time of today or yesterday, and the day of others. */
function inWords(time: Date, now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const days = dayNumber(now) - dayNumber(time);
  if (days === 0 || days === 1)
    return `${days === 0 ? 'today' : 'yesterday'}, ${two(time.getHours())}:${two(time.getMinutes())}`;
  const month = new Intl.DateTimeFormat('en', { month: 'short' }).format(time);
  return `${time.getDate()} ${month} ${time.getFullYear()}`;
}

/** Counts days of the local calendar, which daylight saving time makes 23 or 25 hours long. */
function dayNumber(time: Date): number {
  return Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000;
}

/** Milliseconds. */
const TIMEOUT = 2_000;

/** The process that uses the port of the server, if there is one. */
async function examinePort(configuration: Configuration): Promise<Finding> {
  const address = localAddress(configuration);
  if (address === null) return ok('port', 'systemd opens the socket of the server.');
  const { baseUrl, fetch } = connectTo(address);
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await fetch(new URL(`${baseUrl}/healthz`), { method: 'GET', headers: {}, body: null, signal });
    const answer = parseAnswer(await response.text()) as { version?: unknown; code?: unknown } | null;
    if (typeof answer?.version === 'string' && answer.version !== version)
      return warning(
        'port',
        `The server at ${address} is version ${answer.version}, and this command is ${version}. Restart the server.`,
      );
    if (typeof answer?.version === 'string')
      return ok('port', `A Recollect server of version ${answer.version} runs at ${address}.`);
    if (typeof answer?.code === 'string')
      return warning('port', `The Recollect server at ${address} reports a problem: ${answer.code}.`);
    return warning('port', `Another program uses ${address}. Set RECOLLECT_PORT to another port.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return ok('port', `No server runs at ${address}.`);
    return warning('port', `Something at ${address} does not answer like a Recollect server.`);
  }
}

function parseAnswer(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

interface Options {
  fix?: boolean;
  salvage?: string;
  json?: boolean;
}

export const addDoctor: AddCommand = (program) => {
  const command = program
    .command('doctor')
    .description('check the store and its surroundings, and repair what can be made again')
    .option('--fix', 'repair the indexes, tags, marks and permissions')
    .option('--salvage <folder>', 'read what can still be read of a damaged store into an export in this folder')
    .option('--json', 'print JSON')
    .action(doctor);
  addDoctorSearch(command);
};

async function doctor({ fix = false, salvage, json = false }: Options): Promise<void> {
  if (fix && salvage !== undefined) throw new InvalidOptionError('Use --fix or --salvage, not both.');
  if (salvage !== undefined) return salvageTo(readConfiguration(), salvage, json);
  const result = reportOf(await examineAll(fix, json));
  if (!result.ok) process.exitCode = 1;
  if (json) printJson(result);
  else printReport(result, fix);
}

/** A setting that is rejected is a finding too. Without it, nothing but the names of the others can be examined. */
async function examineAll(fix: boolean, json: boolean): Promise<readonly Finding[]> {
  const settings = examineSettings(unknownSettings());
  const configuration = explainRejection(readConfiguration);
  if (typeof configuration === 'string')
    return [failure('settings', configuration), ...settings.filter(({ severity }) => severity !== 'ok')];
  return [
    ...(await examineStore(configuration, fix, json)),
    await examineModel(configuration),
    await examinePort(configuration),
    ...settings,
  ];
}

/** The result of a function, or why it rejected the settings. */
function explainRejection(read: () => Configuration): Configuration | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

const MODELS: Readonly<Record<Configuration['embeddings']['kind'], string>> = {
  off: 'Embeddings are off.',
  shipped: 'Built-in model.',
  folder: 'The folder of the model has the files that a model needs.',
  http: 'An embedding service is used. It was not asked.',
};

/** A model that cannot be used ends every command that searches or saves. */
async function examineModel(configuration: Configuration): Promise<Finding> {
  const { checkModel } = await import('../../compose/models.js');
  const problem = await checkModel(configuration);
  return problem === null ? ok('model', MODELS[configuration.embeddings.kind]) : failure('model', problem);
}

/** A store that cannot be opened at all is a finding too. */
async function examineStore(
  configuration: Configuration,
  fixes: boolean,
  isQuiet: boolean,
): Promise<readonly Finding[]> {
  const { openStoreDoctor } = await import('../../compose/repair.js');
  const opened = await openStoreDoctor(configuration).catch((error) => explainClosed(error, configuration));
  if ('severity' in opened) return [opened];
  const { doctor: examiner, newestBackup, close } = opened;
  const bar = showProgress(100, isQuiet);
  try {
    const { findings } = await examine({
      doctor: examiner,
      newestBackup,
      now: new Date(),
      fixes,
      signal: stopSignal(),
      onProgress: (work, done, whole) => bar.update(Math.floor((100 * done) / Math.max(1, whole)), work),
    });
    bar.stop('Checked.');
    return findings;
  } catch (error) {
    return [explainUnwritable(error, configuration)];
  } finally {
    await close();
  }
}

function explainClosed(error: unknown, configuration: Configuration): Finding {
  if (error instanceof ConfigurationError) return failure('store', error.message);
  if (error instanceof RecollectError) return failure('file', error.message);
  return explainUnwritable(error, configuration);
}

/** SQLite's error codes for a file that cannot be written. */
const UNWRITABLE = /^SQLITE_(?:READONLY|CANTOPEN|PERM)/;

/** Throws every other error. */
function explainUnwritable(error: unknown, { dataFolder }: Configuration): Finding {
  const { code = '', message } = error as Error & { code?: string };
  if (!UNWRITABLE.test(code)) throw error;
  return failure(
    'store',
    `This account cannot write to the store in ${dataFolder}, which SQLite has to do to read it (${message}).`,
  );
}

const SIGNS: Readonly<Record<Finding['severity'], () => string>> = {
  ok: () => style('green', 'ok'.padEnd(8)),
  warning: () => style('yellow', 'warning'.padEnd(8)),
  error: () => style('red', 'error'.padEnd(8)),
};

function printReport(result: DoctorReport, fix: boolean): void {
  for (const { check, severity, message, fixed } of result.findings) {
    const outcome = fixed === undefined ? '' : fixed ? style('green', ' Repaired.') : style('red', ' Not repaired.');
    print(`${SIGNS[severity]()} ${style('bold', check)}: ${inert(readableTimes(message))}${outcome}`);
  }
  if (result.ok) return;
  const hasError = (checks: readonly string[]) =>
    result.findings.some(({ check, severity }) => severity === 'error' && checks.includes(check));
  const isLost = hasError(LOST);
  if (!fix && !isLost && !hasError(OUTSIDE)) print('\nRepair what can be made again with: recollect doctor --fix');
  if (isLost) {
    print('\nGo back to a backup with: recollect restore');
    print('Save what can still be read with: recollect doctor --salvage FOLDER');
  }
}

/** Checks whose errors only a backup repairs. */
const LOST = ['file', 'memories'];

/** Checks of what the doctor cannot change. */
const OUTSIDE = ['versions', 'store', 'settings', 'model'];

/** Settings with names that do not exist, which end every other command. */
function examineSettings(unknown: readonly string[]): Finding[] {
  if (unknown.length === 0) return [ok('settings', 'All settings are known.')];
  return unknown.map((sentence) => warning('settings', sentence));
}
