import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { areaOf, exceptions, pendingAreas, SKIPPED } from '../src/prose/areas.js';
import { checkProse } from '../src/prose/check-prose.js';
import { type RuleName, wordings } from '../src/prose/rules.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('prose follows each rule in the areas where the rule is active', async () => {
  const files = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' });
  const paths = files.split('\n').filter((path) => path !== '' && !SKIPPED.test(path));
  expect(paths.length).toBeGreaterThan(500);
  const found: string[] = [];

  const counts: Record<string, number> = {};
  const used = new Set<unknown>();
  for (const path of paths) {
    for (const { rule, line, text } of await checkProse(path, await readFile(join(root, path), 'utf8'))) {
      const exception = exceptions.find((one) => one.rule === rule && one.path === path && one.text === text);
      used.add(exception);
      if (exception !== undefined) continue;
      const area = areaOf(path);
      counts[`${rule} in ${area}`] = (counts[`${rule} in ${area}`] ?? 0) + 1;
      if (!pendingAreas[rule].includes(area)) found.push(`${path}:${line} ${rule}: ${text}`);
      else if (process.env.PROSE === area) console.log(`${path}:${line} ${rule}: ${text}`);
    }
  }
  if (process.env.PROSE !== undefined) console.log(counts);
  expect(found).toEqual([]);
  expect(exceptions.filter((one) => !used.has(one))).toEqual([]);
});

describe('a rule about a wording', () => {
  for (const [rule, { bad, good }] of Object.entries(wordings)) {
    test(`${rule} finds its bad example and accepts its good one`, async () => {
      const comment = (text: string) => `/** ${text} */\nexport const x = 1;\n`;
      for (const [path, wrap] of [['a.md', (text: string) => text] as const, ['a.ts', comment] as const]) {
        expect((await checkProse(path, wrap(bad))).map((finding) => finding.rule)).toEqual([rule]);
        expect(await checkProse(path, wrap(good))).toEqual([]);
      }
    });
  }
});

describe('the check reads', () => {
  const rulesOf = async (path: string, source: string): Promise<[RuleName, number][]> =>
    (await checkProse(path, source)).map(({ rule, line }) => [rule, line]);

  test('a wording across two lines of a comment, at its line', async () => {
    expect(
      await rulesOf('a.ts', 'const a = 1;\n/**\n * This text is\n * no text.\n */\n// It goes on\n// here.\n'),
    ).toEqual([
      ['no-is-no', 3],
      ['no-go-on', 6],
    ]);
  });

  test('strings, templates and JSX text, but no code in an example or in backticks', async () => {
    expect(await rulesOf('a.tsx', "const a = ['Port', 'The port is held open'];\n")).toEqual([['no-is-held', 1]]);
    expect(await rulesOf('a.tsx', 'const a = `The work goes on $' + '{1} here`;\n')).toEqual([['no-go-on', 1]]);
    expect(await rulesOf('a.tsx', 'const a = (\n  <p>It is no text</p>\n);\n')).toEqual([['no-is-no', 2]]);
    expect(await rulesOf('a.ts', '/**\n * Reads `whoever`.\n *\n * @example\n * it is no text\n */\n')).toEqual([]);
  });

  test('titles of tests, but no other string of a test', async () => {
    const source = "test('the text is no text', () => {\n  say('this is no text');\n});\n";
    expect(await rulesOf('core/test/a.test.ts', source)).toEqual([['no-is-no', 1]]);
  });

  test('long sentences and long lines of Markdown outside of tables and code, and long comments', async () => {
    const words = 'word '.repeat(31).trim();
    expect(await rulesOf('a.md', `${words}.\n`)).toEqual([
      ['short-sentences', 1],
      ['short-lines', 1],
    ]);
    expect(await rulesOf('a.md', `First.\n${words.replaceAll('word ', 'a, ')}. Last.\n`)).toEqual([
      ['short-sentences', 2],
    ]);
    expect(await rulesOf('a.md', `| a |\n| - |\n| ${words} |\n\n\`\`\`\n${words}\n\`\`\`\n`)).toEqual([]);
    expect(await rulesOf('a.ts', `// ${words}\nconst a = '${words}';\n`)).toEqual([['short-lines', 1]]);
  });
});
