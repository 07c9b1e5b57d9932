import type { MemoryDetail } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import type { Restorer } from '../../compose/repair.js';
import type { Configuration } from '../../config.js';
import type { CallOperation } from '../../executor/executor.js';
import { readMemory, resolveMemoryId } from '../../memory-references.js';

import { ago, inert, print, printJson, style } from '../../terminal/output.js';
import { undoAdvice } from '../advice.js';
import { stopSignal, throwIfStopped, unlessStopped, withExecutor } from '../command.js';

import { explainProblem, type Problem } from './explain-problem.js';
import { findPassphrase } from './find-candidate.js';

interface MemorySource {
  restorer: Restorer;
  configuration: Configuration;
  /** A backup. Undefined: the newest one that has the memory undamaged. */
  file: string | undefined;
}

/** Gives one memory the title, tags, note and text that it has in a backup, as a change that can be undone. */
export async function restoreMemory(typed: string, source: MemorySource, json: boolean): Promise<void> {
  await withExecutor(async ({ call, embed }) => {
    const id = await resolveMemoryId(call, typed);
    const present = await readMemory(call, id);
    const { path, at, memory } = await findMemory(id, source, stopSignal());
    const others = present.damaged ? differing(present, memory) : [];
    const { changeId, changed, canBeUndone } = await putBack(call, present, memory, others.length === 0);
    if (json) return printJson({ id, file: path, changed, changeId, notRestored: others });
    const age = at === null ? '' : `, ${ago(at)}`;
    if (others.length > 0) {
      process.exitCode = 1;
      process.stderr.write(
        `Also different in the backup, but restored only with the whole store (recollect restore FILE): ${others.join(', ')}.\n`,
      );
    }
    if (changeId === null && present.damaged && others.length === 0)
      return print(`${style('green', 'Repaired')} ${inert(memory.title)} from ${inert(path)}${age}.`);
    if (changeId === null)
      return print(`${inert(path)}${age} has the same title, tags, note and text. Nothing was changed.`);
    print(`${style('green', 'Restored')} ${changed.join(', ')} of ${inert(memory.title)} from ${inert(path)}${age}.`);
    if (canBeUndone) print(undoAdvice(changeId));
    await embed({ isQuiet: false });
  });
}

async function findMemory(
  id: string,
  { restorer, configuration, file }: MemorySource,
  signal: AbortSignal,
): Promise<{ path: string; at: string | null; memory: MemoryDetail }> {
  const backups = file === undefined ? await restorer.list() : [{ path: file, at: null }];
  for (const { path, at } of backups) {
    const look = await restorer.lookAtFile(path);
    if (!look.exists && file !== undefined) throw refused('missing', path);
    if (!look.exists) continue;
    const passphrase = look.isEncrypted ? await findPassphrase(configuration) : null;
    const reading = restorer.readMemory(path, id, { passphrase, signal });
    const memory = await reading.catch((error) => Promise.reject(unlessStopped(signal, error)));
    throwIfStopped(signal);
    if (memory === 'wrong-passphrase') throw refused(memory, path);
    if (memory !== null) return { path, at, memory };
    process.stderr.write(`${inert(path)} does not have the memory, or not undamaged.\n`);
  }
  throw new RecollectError(
    'NOT_FOUND',
    'No backup has this memory undamaged. Nothing was changed. recollect restore --list shows the backups.',
  );
}

function refused(problem: Problem, path: string): RecollectError {
  return new RecollectError('BACKUP_FAILED', explainProblem(problem, path));
}

/** Fields that no change can restore, and that hardly anything but damage changes. */
const FIXED = ['url', 'sourceType', 'sourceApp', 'captureMode', 'capturedAt', 'page', 'metadata', 'savedBy'] as const;

function differing(present: MemoryDetail, memory: MemoryDetail): string[] {
  const isSame = (field: keyof MemoryDetail) => JSON.stringify(present[field]) === JSON.stringify(memory[field]);
  const fields: readonly (keyof MemoryDetail)[] = isSame('text') ? [...FIXED, 'turns'] : FIXED;
  return fields.filter((field) => !isSame(field));
}

/**
 * Puts back what a change can. With `confirms`, also a text that is the same, by which the memory is known to be
 * undamaged again.
 */
async function putBack(
  call: CallOperation,
  present: MemoryDetail,
  { title, tags, note, text, textHash }: MemoryDetail,
  confirms: boolean,
) {
  const isRepair = present.captureMode === 'conversation' && text !== present.text;
  if (isRepair && textHash !== present.textHash)
    throw new RecollectError(
      'VALIDATION_FAILED',
      'The conversation had other turns when this backup was made, so nothing was changed. recollect restore FILE restores the whole store.',
    );
  const body = { title, tags, note, ...(text === present.text && !(present.damaged && confirms) ? {} : { text }) };
  const { changeId } = await call('updateMemory', { parameters: { id: present.id }, body });
  const changed = (['title', 'tags', 'note', 'text'] as const).filter(
    (field) => JSON.stringify(present[field]) !== JSON.stringify({ title, tags, note, text }[field]),
  );
  // An undo would bring back the damaged turns of a conversation.
  return { changeId, changed, canBeUndone: !isRepair };
}
