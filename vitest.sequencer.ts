import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that are small and take long: what they run is in other files. */
const SLOW = [
  'tools/torture/test/torture.test.ts',
  'packages/storage/test/verify-storage.test.ts',
  'packages/storage/test/vectors/verify-storage.test.ts',
  'apps/cli/test/transcripts.test.ts',
];

/**
 * Begins with what takes longest, so that no worker is left with a long file at the end. The command line's tests mostly wait for
 * processes, and the others keep the processors busy: they are mixed, so that neither run side by side.
 */
export class MixedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((path) => moduleId.endsWith(path));
    const isWaiting = ({ moduleId }: TestSpecification) => moduleId.includes('/apps/cli/test/');
    const largestFirst = [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
    const groups = [largestFirst.filter(isWaiting), largestFirst.filter((file) => !isWaiting(file))];
    const places = groups.flatMap((group) => group.map((file, at) => ({ file, place: (at + 0.5) / group.length })));
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return places.sort((a, b) => groupOf(a.file) - groupOf(b.file) || a.place - b.place).map(({ file }) => file);
  }
}
