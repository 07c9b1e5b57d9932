// @ts-check
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { report } from './report.mjs';
import { runQuietly } from './run.mjs';
import { openScratch } from './scratch.mjs';

/** How many of the slowest test files are listed. */
const SLOWEST = 10;
/** The tag of the tests that only the long suite runs. */
const LONG = 'long';

/**
 * Runs the checks of `npm test` on a built tree: style, types of the tests, and the tests, which include the
 * architecture rules and the requirements. The last line of the output counts the tests.
 * @param {string} root
 * @param {{ node: string, env: NodeJS.ProcessEnv }} prepared
 * @param {readonly string[]} paths parts of the paths of test files. If there are any, only the tests in those files
 * run, the long ones too.
 * @returns {Promise<number>} the exit code
 */
export async function runChecks(root, { node, env }, paths) {
  const bin = (/** @type {string} */ name, /** @type {string[]} */ ...path) =>
    join(root, 'node_modules', name, ...path);
  const results = join(root, 'node_modules', '.cache', 'test-results.json');
  rmSync(results, { force: true });
  const steps = [
    { name: 'style', args: [bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.'] },
    { name: 'test types', args: [bin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.test.json'] },
    {
      name: 'tests',
      args: [
        bin('vitest', 'vitest.mjs'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${results}`,
        ...(env.LONG === '1' || paths.length > 0 ? [] : [`--tags-filter=!${LONG}`]),
        ...paths,
      ],
    },
  ];
  const scratch = openScratch();
  const settings = scratch === null ? env : { ...env, TMPDIR: scratch.path };
  let failed = 0;
  for (const { name, args } of paths.length === 0 ? steps : steps.slice(-1)) {
    report(`checking: ${name}`);
    if ((await runQuietly(node, args, { cwd: root, env: settings })) !== 0) failed += 1;
  }
  scratch?.remove();
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readResults(results);
  if (paths.length === 0) for (const line of slowest(root, testResults)) report(line);
  const skipped = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'skipped' || status === 'pending');
  for (const group of groups(skipped.filter(({ tags }) => !tags.includes(LONG)))) report(`skipped: ${group}`);
  const long = skipped.filter(({ tags }) => tags.includes(LONG)).length;
  if (long > 0) report(`skipped: ${long} ${long === 1 ? 'test' : 'tests'} of the long suite (npm run test:long)`);
  // A failed step counts even if no test reports it, and a run without tests is a failure.
  const failures = Math.max(numFailedTests, failed, numPassedTests === 0 ? 1 : 0);
  process.stdout.write(`${numPassedTests} passed, ${failures} failed\n`);
  return failures === 0 ? 0 : 1;
}

/**
 * @typedef {{ status: string, ancestorTitles: string[], title: string, tags: string[] }} Assertion
 * @typedef {{ name: string, startTime: number, endTime: number, assertionResults: Assertion[] }} TestFile
 */

/**
 * The slowest test files, with the seconds that a worker spent on each.
 * @param {string} root
 * @param {readonly TestFile[]} files
 */
function slowest(root, files) {
  const timed = files.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1_000 }));
  timed.sort((a, b) => b.seconds - a.seconds);
  const all = timed.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    `the slowest of ${files.length} test files, which took ${Math.round(all)} s in all workers:`,
    ...timed
      .slice(0, SLOWEST)
      .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${relative(root, name)}`),
  ];
}

/**
 * The groups of tests, with counts. The titles of those that were skipped on this machine say what they need.
 * @param {readonly Assertion[]} tests
 */
function groups(tests) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { ancestorTitles, title } of tests) {
    const group = ancestorTitles[0] || title;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts].map(([group, count]) => `${count} ${count === 1 ? 'test' : 'tests'} ${group}`);
}

/** @param {string} path @returns {{ numPassedTests?: number, numFailedTests?: number, testResults?: TestFile[] }} */
function readResults(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
