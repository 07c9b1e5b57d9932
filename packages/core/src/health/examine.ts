import { describeBackup } from '../backups/describe-backup.js';
import type { Derived, DerivedFacts, FindNewestBackup, Following, StoreDoctor } from '../ports/index.js';

import { type DoctorReport, type Finding, failure, ok, reportOf, warning } from './finding.js';

import {
  judgeBackup,
  judgeClock,
  judgePermissions,
  judgeSpace,
  judgeVersions,
  judgeWork,
} from './judge-surroundings.js';

/** Damaged memories that are named. */
const MAX_REPORTED_MEMORIES = 10;

export interface ExamineOptions {
  doctor: StoreDoctor;
  newestBackup: FindNewestBackup;
  now: Date;
  /** Whether to repair the data derived from the memories. */
  fixes: boolean;
  signal?: AbortSignal | undefined;
  /** Reports the current step and its progress. */
  onProgress?: ((work: string, done: number, whole: number) => void) | undefined;
}

/**
 * Examines a store, and repairs data that can be derived from its memories. Lost memories need a backup. A check
 * that fails becomes a finding, and the others still run.
 */
export async function examine(options: ExamineOptions): Promise<DoctorReport> {
  const { doctor, newestBackup, now, signal, onProgress } = options;
  const findings: Finding[] = [];
  const follow = (work: string): Following => ({
    signal,
    onProgress: (done, whole) => onProgress?.(work, done, whole),
  });
  /** Runs one check. */
  const check = async (name: string, run: () => Promise<readonly Finding[]>) => {
    if (signal?.aborted) return;
    findings.push(...(await run().catch((error) => [failure(name, `This check failed: ${error.message}`)])));
  };
  /** Repairs a part, and returns the finding as repaired. */
  const repair = async (finding: Finding, part: Derived): Promise<Finding> => {
    if (!fixes || finding.severity === 'ok' || signal?.aborted) return finding;
    try {
      await doctor.fix(part, follow(`Repairing ${finding.check}`));
      return { ...finding, fixed: signal?.aborted !== true };
    } catch (error) {
      return { ...finding, fixed: false, message: `${finding.message} The repair failed: ${(error as Error).message}` };
    }
  };

  // A store that cannot be read says so in the check of its version.
  const versions = await doctor.versions().catch(() => null);
  const fixes = options.fixes && (versions?.unknown.length ?? 0) === 0;
  /** The content of an earlier version lacks columns, and what a newer version has added is unknown. */
  const isCurrent = versions === null || versions.missing.length + versions.unknown.length === 0;
  const checkContent: typeof check = async (name, run) => {
    if (isCurrent) await check(name, run);
  };

  await check('store', async () => judgeMove(await doctor.move()));
  let isSound = false;
  await check('file', async () => {
    const { problems, isIndexOnly, isComplete } = await doctor.structure(follow('Checking the file'));
    // The mark would keep the repairs from writing. Remaining damage is found and marked again.
    isSound = isComplete && (problems.length === 0 || isIndexOnly);
    if (fixes && isSound) await doctor.clearMark();
    if (problems.length === 0) return isComplete ? [ok('file', 'The structure of the store file is whole.')] : [];
    const [first = ''] = problems;
    const finding = failure(isIndexOnly ? 'indexes' : 'file', `${describeProblemCount(problems.length)}: ${first}`);
    if (isIndexOnly) return [isSound ? await repair(finding, 'indexes') : finding];
    return [{ ...finding, message: `${finding.message}. ${await describeBackup(newestBackup)}` }];
  });
  await check('references', async () => {
    const tables = await doctor.foreignKeys();
    const broken = `Rows of ${tables.join(', ')} refer to rows that do not exist.`;
    return [
      tables.length === 0 ? ok('references', 'All references between rows are valid.') : failure('references', broken),
    ];
  });
  await checkContent('memories', async () => {
    const { checked, damaged } = await doctor.damagedMemories(follow('Checking memories'));
    if (damaged.length === 0) return [ok('memories', `${checked} memories match their checksums.`)];
    const ids = damaged.slice(0, MAX_REPORTED_MEMORIES).map(({ id }) => id);
    const sentence = `${damaged.length} of ${checked} memories do not match their checksums: ${ids.join(', ')}.`;
    return [failure('memories', `${sentence} ${await describeBackup(newestBackup)}`)];
  });
  await checkContent('derived data', async () => {
    const judged = judgeDerived(await doctor.derived());
    const repaired: Finding[] = [];
    for (const { finding, part } of judged) repaired.push(isSound ? await repair(finding, part) : finding);
    return repaired;
  });
  await checkContent('work', async () => judgeWork(await doctor.work()));
  await check('versions', async () => [judgeVersions(versions ?? (await doctor.versions()))]);
  await check('permissions', async () => {
    const finding = judgePermissions(await doctor.permissions());
    if (!fixes || finding.severity === 'ok') return [finding];
    await doctor.fixPermissions();
    return [{ ...finding, fixed: true }];
  });
  await check('disk', async () => judgeSpace(await doctor.facts()));
  await checkContent('clock', async () => [judgeClock(await doctor.lastReading(), now)]);
  await check('backups', async () => [judgeBackup(await newestBackup(), now)]);
  if (signal?.aborted) findings.push(failure('doctor', 'Stopped before the end. Another run continues.'));
  return reportOf(findings);
}

/** A store that was moved is examined like any other, although commands refuse it. */
function judgeMove(move: Awaited<ReturnType<StoreDoctor['move']>>): Finding[] {
  if (move === null) return [];
  return move.state === 'moved'
    ? [warning('store', `This store was moved. The memories are in ${move.other}.`)]
    : [warning('store', `This store is the target of a move from ${move.other} that has not finished.`)];
}

function describeProblemCount(problems: number): string {
  return problems === 1 ? 'The store file is damaged' : `The store file is damaged in ${problems} or more places`;
}

/** A finding, and the part that repairs it. */
interface Repairable {
  finding: Finding;
  part: Derived;
}

/** Compares derived data with the memories. */
function judgeDerived({ text, vectors, marks, tags, counts, sequence }: DerivedFacts): Repairable[] {
  return [
    { part: 'text', finding: judgeText(text) },
    { part: 'vectors', finding: judgeVectors(vectors) },
    { part: 'marks', finding: judgeMarks(marks) },
    {
      part: 'tags',
      finding:
        tags === 0
          ? ok('tags', 'The rows of tags match the memories.')
          : failure('tags', `The rows of tags of ${tags} memories differ from their tags.`),
    },
    {
      part: 'counts',
      finding:
        counts === 0
          ? ok('counts', 'The counts that are kept match the memories.')
          : failure('counts', `The counts that are kept differ from the memories in ${counts} places.`),
    },
    {
      part: 'sequence',
      finding:
        sequence.newest <= sequence.last
          ? ok('changes', `The change sequence is at ${sequence.last}.`)
          : failure('changes', 'The change sequence would give out numbers that were used before.'),
    },
  ];
}

function judgeText({ missing, orphaned, problems }: DerivedFacts['text']): Finding {
  if (problems.length > 0) return failure('text index', `The full-text index is damaged: ${problems[0]}`);
  if (missing + orphaned === 0) return ok('text index', 'The full-text index matches the memories.');
  return failure(
    'text index',
    `The full-text index lacks ${missing} chunks, and has ${orphaned} rows without a memory.`,
  );
}

function judgeVectors({ orphaned, misshapen }: DerivedFacts['vectors']): Finding {
  if (misshapen > 0) {
    return failure('vectors', `${misshapen} vectors have another length than their model's.`);
  }
  if (orphaned > 0) return warning('vectors', `${orphaned} vectors belong to no memory.`);
  return ok('vectors', 'The vectors match the memories and their models.');
}

function judgeMarks({ wrong, missing }: DerivedFacts['marks']): Finding {
  if (wrong > 0) return failure('embeddings', `${wrong} memories count as embedded, but lack vectors.`);
  if (missing > 0) return warning('embeddings', `${missing} memories have all vectors, but do not count as embedded.`);
  return ok('embeddings', 'The memories that count as embedded have all their vectors.');
}
