import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupState, Status } from '@recollect/contract';
import { count, formatBytes } from '@recollect/contract/text';
import { readConfiguration } from '../config.js';
import { findOtherVersion } from '../executor/find-server.js';
import { ago, inert, localTime, print, printFacts, printJson, style } from '../terminal/output.js';
import { describeBacklog } from '../terminal/progress.js';
import { releaseOf } from '../update/installation.js';
import { readNewerVersion } from '../update/weekly-check.js';
import { version } from '../version.js';
import { DAMAGE_ADVICE } from './advice.js';
import { type AddCommand, withExecutor } from './command.js';

/** Follows the free space of a disk that is too small for the reserve of deletions. */
const NO_RESERVE = ', with no room for the space that is kept for deletions';

export const addStatus: AddCommand = (program) => {
  program
    .command('status')
    .description('show the store, its size, the embeddings and the plugins')
    .option('--json', 'print JSON')
    .action(status);
};

async function status({ json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call, server }) => {
    const answer = await call('status', {});
    if (json) return printJson({ ...answer, server });
    const {
      store,
      memories,
      highlights,
      trash,
      pictures,
      embeddings,
      model,
      plugins,
      backups,
      damaged,
      check,
      errors,
    } = answer;
    const { active, failures } = plugins;
    print(`${style('bold', 'Recollect')} ${version}`);
    const facts = {
      store: `${store.location ?? 'in memory'}, ${formatBytes(store.bytes, 'en')}`,
      server: await describeServer(server),
      'disk free':
        store.freeBytes === null ? '' : `${formatBytes(store.freeBytes, 'en')}${store.lacksReserve ? NO_RESERVE : ''}`,
      memories: String(memories),
      highlights: String(highlights),
      trash: count(trash, 'memory', 'memories'),
      pictures: pictures.count === 0 ? '' : `${pictures.count}, ${formatBytes(pictures.bytes, 'en')}`,
      rejected:
        embeddings.rejected.count === 0
          ? ''
          : `${count(embeddings.rejected.count, 'memory has a text', 'memories have texts')} that the model rejects: ${embeddings.rejected.reason} (${embeddings.rejected.memories.join(', ')})`,
      embeddings:
        model === null
          ? 'off, search uses full text only'
          : `${embeddings.withEmbeddings} of ${count(embeddings.total, 'memory', 'memories')}, ${model}`,
      backup: backups === null ? '' : describeBackups(backups),
      check: describeCheck(check),
      plugins: `${active} active, ${failures.length} failing`,
      update: await describeUpdate(),
    };
    printFacts(facts);
    if (store.problem !== null)
      print(`${style('red', 'problem:'.padEnd(12))}${inert(store.problem.message)} ${adviceOn(store.problem)}`.trim());
    for (const { id } of damaged) print(`${style('red', 'damaged:'.padEnd(12))}${id} does not match its checksum`);
    for (const { slug, reason } of failures) print(`${' '.repeat(12)}${style('red', slug)} ${inert(reason)}`);
    if (backups !== null && backups.failure !== null) {
      const { since, message, attempts } = backups.failure;
      print(
        `${' '.repeat(12)}${style('red', 'backups have failed')} since ${localTime(since)}, ${count(attempts, 'time')}: ${inert(message)}`,
      );
    }
    if (errors.length > 0) print(`\n${style('bold', 'Last errors of the server')}`);
    for (const error of errors) print(inert(describeError(error)));
    if (model !== null && embeddings.needsReindex) print(`\n${describeBacklog(embeddings, server !== null)}`);
  });
}

/** The newer version that the weekly check has found; empty if there is none. */
async function describeUpdate(): Promise<string> {
  const { checksForUpdates, dataFolder } = readConfiguration();
  if (!checksForUpdates) return '';
  const newer = await readNewerVersion(dataFolder, releaseOf(version));
  return newer === null ? '' : `Recollect ${newer} can be installed: recollect update`;
}

/** One line for equal errors: when they last occurred, what failed and how, and how often. */
function describeError({ lastAt, operation, code, cause, count: times, requestId }: Status['errors'][number]): string {
  const details = [cause, times === 1 ? null : `${times} times`, requestId === null ? null : `request ${requestId}`];
  return `${localTime(lastAt)} ${operation} ${code} (${details.filter((detail) => detail !== null).join(', ')})`;
}

/** When the newest backup was made, and its check. */
function describeBackups({ last, isAutomatic }: BackupState): string {
  const mode = isAutomatic ? 'made hourly while the server runs' : 'automatic backups are off';
  if (last === null) return `none yet, ${mode}`;
  const check = last.isVerified ? 'checked' : 'its check failed';
  const content = last.memories === null ? '' : `, ${count(last.memories, 'memory', 'memories')}`;
  return `${ago(last.at)}${content}, ${check}; ${mode}`;
}

/** When all memories were last checked against their checksums. */
function describeCheck(check: Status['check']): string {
  if (check === null) return 'none yet; the server checks all memories every week';
  if (check.finishedAt === null) return `all memories, since ${localTime(check.startedAt)}`;
  return `all memories, ${ago(check.finishedAt)}`;
}

function adviceOn({ code }: { code: string }): string {
  return code === 'STORE_DAMAGED' ? DAMAGE_ADVICE : '';
}

const NEXT = `
  recollect capture https://example.com/article   save a page
  recollect search "what was that about tea"      find it by meaning or by word
  recollect open                                  open the web app in your browser

All commands: recollect --help`;

/** The output of `recollect` without a command: the state, and the next commands to try. */
export async function overview(): Promise<void> {
  print(`${style('bold', 'Recollect')} ${version}`);
  printFacts(await readFacts());
  print(NEXT);
}

async function readFacts(): Promise<Record<string, string>> {
  const { dataFolder } = readConfiguration();
  // Looking does not create a store.
  if (!existsSync(join(dataFolder, 'recollect.db')))
    return { store: `${dataFolder}, which is still empty`, server: await describeServer(null) };
  return withExecutor(async ({ call, server }) => {
    const { store, memories, model } = await call('status', {});
    return {
      store: `${inert(store.location ?? dataFolder)}, ${count(memories, 'memory', 'memories')}`,
      server: await describeServer(server),
      model: model ?? 'none, search uses full text only',
      problem: store.problem?.message ?? '',
    };
  });
}

/** Whether a server runs on the store, in words. */
async function describeServer(server: string | null): Promise<string> {
  if (server !== null) return `running at ${server}`;
  const other = await findOtherVersion(readConfiguration().dataFolder);
  if (other === null) return 'not running; start it with: recollect serve';
  return `running as version ${inert(other)}, which commands do not use; restart it`;
}
