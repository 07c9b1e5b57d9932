import { type DoctorReport, examine, type Finding, failure, RecollectError, reportOf } from '@recollect/core';
import { type Configuration, readConfiguration, unknownSettings } from '../../config.js';
import { inert, print, printJson, style } from '../../terminal/output.js';
import { showProgress } from '../../terminal/progress.js';
import { type AddCommand, InvalidOptionError } from '../command.js';
import { stopSignal } from '../stop-signal.js';
import { addDoctorSearch } from './doctor-search.js';
import { examinePort } from './examine-port.js';
import { examineSettings } from './examine-settings.js';
import { salvageTo } from './salvage-to.js';

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
  const configuration = readConfiguration();
  if (salvage !== undefined) return salvageTo(configuration, salvage, json);
  const findings = await examineStore(configuration, fix, json);
  const all = [...findings, await examinePort(configuration), ...examineSettings(unknownSettings())];
  const result = reportOf(all);
  if (!result.ok) process.exitCode = 1;
  if (json) printJson(result);
  else printReport(result, fix);
}

/** A store that cannot be opened at all is a finding too. */
async function examineStore(
  configuration: Configuration,
  fixes: boolean,
  isQuiet: boolean,
): Promise<readonly Finding[]> {
  const { openStoreDoctor } = await import('../../compose.js');
  const opened = await openStoreDoctor(configuration).catch((error) => {
    if (error instanceof RecollectError) return error;
    throw error;
  });
  if (opened instanceof RecollectError) return [failure('file', opened.message)];
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
  } finally {
    await close();
  }
}

const SIGNS: Readonly<Record<Finding['severity'], () => string>> = {
  ok: () => style('green', 'ok'.padEnd(8)),
  warning: () => style('yellow', 'warning'.padEnd(8)),
  error: () => style('red', 'error'.padEnd(8)),
};

function printReport(result: DoctorReport, fix: boolean): void {
  for (const { check, severity, message, fixed } of result.findings) {
    const outcome = fixed === undefined ? '' : fixed ? style('green', ' Repaired.') : style('red', ' Not repaired.');
    print(`${SIGNS[severity]()} ${style('bold', check)}: ${inert(message)}${outcome}`);
  }
  if (result.ok) return;
  const isLost = result.findings.some(({ check, severity }) => severity === 'error' && LOST.includes(check));
  const isUnreadable = result.findings.some(({ check, severity }) => severity === 'error' && check === 'versions');
  if (!fix && !isLost && !isUnreadable) print('\nRepair what can be made again with: recollect doctor --fix');
  if (isLost) {
    print('\nGo back to a backup with: recollect restore');
    print('Save what can still be read with: recollect doctor --salvage FOLDER');
  }
}

/** Checks whose errors only a backup repairs. */
const LOST = ['file', 'memories'];
