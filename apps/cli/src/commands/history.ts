import type { Actor, HistoryAnswer, MemoryDetail, VersionsAnswer } from '@recollect/contract';
import { followUndo } from '@recollect/contract/follow-change';
import { clipText, count, describeActor, describeFields } from '@recollect/contract/text';
import type { CallOperation } from '../executor/executor.js';
import { readMemory, resolveChangeId, resolveMemoryId } from '../memory-references.js';
import { inert, localTime, print, printJson, style } from '../terminal/output.js';
import { printLong } from '../terminal/print.js';
import { shownId } from '../terminal/short-id.js';
import { undoAdvice, withAdvice } from './advice.js';
import { type AddCommand, InvalidOptionError, integerInRange, withExecutor } from './command.js';

import { followWith } from './follow-change.js';

export const addUndo: AddCommand = (program) => {
  program
    .command('undo')
    .description('undo a change of one or many memories')
    .argument('<change>', 'change id, as printed by the command that made the change and by history')
    .option('--json', 'print JSON')
    .action(undo);
};

async function undo(typed: string, { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call, embed }) => {
    const changeId = await resolveChangeId(call, typed);
    const before = await call('reindexState', {});
    const started = await withAdvice(call('undoChange', { parameters: { id: changeId }, query: {} }), ({ code }) =>
      code === 'NOT_FOUND' ? 'recollect history ID lists the changes of a memory.' : null,
    );
    const answer = await followUndo(started, followWith(call, json));
    const { changed, skipped, changeId: undoId } = answer;
    const { withoutEmbeddings } = await call('reindexState', {});
    if (withoutEmbeddings > before.withoutEmbeddings) await embed({ isQuiet: json === true });
    if (skipped > 0) process.exitCode = 1;
    if (json) return printJson(answer);
    if (undoId !== null) print(`Undone for ${count(changed, 'memory', 'memories')}. ${undoAdvice(undoId)}`);
    if (skipped === 0) return;
    const reason = 'changed again since, permanently deleted, or changed too long ago';
    process.stderr.write(`Not undone for ${count(skipped, 'memory', 'memories')}: ${reason}.\n`);
  });
}

interface Options {
  show?: number;
  restore?: number;
  json?: boolean;
}

const MAX_ENTRIES = 1_000_000;

export const addHistory: AddCommand = (program) => {
  program
    .command('history')
    .description('show who saved a memory, and what was done to it since')
    .argument('<id>', 'memory id, the beginning of one, or @1 for the first memory of the last list')
    .option(
      '--show <n>',
      'print the memory as change n left it; 0: as it was saved',
      integerInRange('--show', 0, MAX_ENTRIES),
    )
    .option(
      '--restore <n>',
      'put title, tags, note and text back as change n left them',
      integerInRange('--restore', 0, MAX_ENTRIES),
    )
    .option('--json', 'print JSON')
    .action(history);
};

async function history(typed: string, { show, restore, json = false }: Options): Promise<void> {
  if (show !== undefined && restore !== undefined) throw new InvalidOptionError('Pass --show or --restore, not both.');
  await withExecutor(async ({ call, embed }) => {
    const id = await resolveMemoryId(call, typed);
    const memory = await readMemory(call, id);
    if (show !== undefined) return printState(call, memory, show, json);
    if (restore === undefined) return list(call, memory, json);
    const work = call('restoreState', { parameters: { id, number: String(restore) } });
    const restored = await withAdvice(work, adviseNumber(id));
    if (restored.embedding.state === 'pending') await embed({ isQuiet: json });
    if (json) return printJson(restored);
    const name = `${style('bold', inert(restored.title))} ${style('dim', shownId(id))}`;
    if (restored.changeId === null) return print(`Nothing was changed: ${name} already has these values.`);
    print(`${style('green', 'Restored')} ${name} as ${describeNumber(restore)}`);
    print(undoAdvice(restored.changeId));
  });
}

async function list(call: CallOperation, memory: MemoryDetail, json: boolean): Promise<void> {
  const { id, title, capturedAt, savedBy } = memory;
  const [{ history: entries, oldest }, { versions }] = await Promise.all([
    call('memoryHistory', { parameters: { id } }),
    call('memoryVersions', { parameters: { id } }),
  ]);
  if (json) return printJson({ capturedAt, savedBy, history: entries, oldest, versions });
  const width = String(entries[0]?.number ?? 0).length;
  const line = (number: number, at: string, what: string) =>
    print(`${String(number).padStart(width)}  ${localTime(at)}  ${what}`);
  print(style('bold', inert(title)));
  for (const entry of entries) {
    const what = `${formatChange(entry)}${byActor(entry.by)}`;
    line(entry.number, entry.at, `${what} ${style('dim', shownId(entry.changeId))}`);
    for (const replaced of describeReplaced(entry)) print(style('dim', `${' '.repeat(width)}  ${replaced}`));
  }
  line(0, capturedAt, `saved${byActor(savedBy)}`);
  if (entries.length > 0) {
    print('\nUndo a change with: recollect undo CHANGE');
    print(`Print or restore a state from ${oldest} on with: recollect history ${shownId(id)} --show N, or --restore N`);
  }
  printVersions(versions, id);
}

/** The texts of a page that was saved more than once. */
function printVersions(versions: VersionsAnswer['versions'], id: string): void {
  if (versions.length < 2) return;
  print(`\n${count(versions.length, 'version')} of this page:`);
  for (const { id: other, title, capturedAt, characters } of versions) {
    const mark = other === id ? ', this one' : '';
    const facts = `${localTime(capturedAt)}  ${inert(title)}, ${count(characters, 'character')}${mark}`;
    print(`${facts} ${style('dim', shownId(other))}`);
  }
}

async function printState(call: CallOperation, { id }: MemoryDetail, number: number, json: boolean): Promise<void> {
  const state = await withAdvice(call('memoryState', { parameters: { id, number: String(number) } }), adviseNumber(id));
  if (json) return printJson(state);
  const facts = {
    as: `${describeNumber(number)}, ${localTime(state.at)}`,
    tags: state.tags.join(', '),
    note: state.note,
  };
  await printLong(
    [
      style('bold', inert(state.title)),
      ...Object.entries(facts).flatMap(([name, value]) =>
        value === null || value === '' ? [] : [style('dim', `${name}: ${inert(value)}`)],
      ),
      '',
      inert(state.text),
    ].join('\n'),
  );
}

const adviseNumber =
  (id: string) =>
  ({ code }: { code: string }) =>
    code === 'NOT_FOUND' ? `recollect history ${id} lists what is kept.` : null;

function describeNumber(number: number): string {
  return number === 0 ? 'it was saved' : `change ${number} left it`;
}

const KINDS = { captured: 'saved again', edited: 'changed', deleted: 'deleted', restored: 'restored' } as const;

function formatChange({ kind, fields }: HistoryAnswer['history'][number]): string {
  return kind === 'edited' && fields.length > 0 ? `changed ${describeFields(fields)}` : KINDS[kind];
}

/** Characters of a former value that a line has room for. */
const VALUE = 100;

/** The values that a change replaced, a line for each field; `--show` prints a previous text. */
function describeReplaced({
  before: { title, tags, note, starred, readState, place },
}: HistoryAnswer['history'][number]): string[] {
  const star = starred === undefined ? undefined : starred ? 'set' : 'not set';
  const fields = {
    title,
    tags: tags?.join(', '),
    note: note === null ? '' : note,
    star,
    'read state': readState,
    place,
  };
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const was = name === 'tags' ? 'were' : 'was';
    return [
      value === '' ? `${name} ${was} empty` : `${name} ${was}: ${inert(clipText(value, VALUE).replace(/\s+/g, ' '))}`,
    ];
  });
}

function byActor(actor: Actor | null): string {
  return actor === null ? '' : ` by ${inert(describeActor(actor))}`;
}
