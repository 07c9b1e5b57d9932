import { attackRegex } from './attack-regex.js';
import type { House } from './read-house.js';

/** Expressions that take more than linear time, by the file and the beginning of their source, and why they may. */
const EXCEPTIONS: readonly [path: string, source: string, reason: string][] = [
  [
    'apps/server/src/report-error.ts',
    '^ {4}at (',
    'reads stacks, whose frames V8 writes; the message is cut off before',
  ],
  ['apps/server/src/report-error.ts', '.*\\/node_modules\\/', 'reads the path of a module of ours'],
  ['apps/server/src/report-error.ts', '.*\\/(?:packages|apps|tools)', 'reads the path of a module of ours'],
  ['packages/core/src/memories/change-runs.ts', ' Nothing was changed', 'reads a message of ours'],
  ['packages/web/src/app/state/changes.ts', ' (?:Before that, )?', 'reads a message of ours'],
  ['packages/extension/src/archive/save-page.ts', '<script>', 'reads a page of ours'],
  ['packages/extension/src/archive/save-page.ts', '<style>', 'reads a page of ours'],
  ['packages/importers/src/kindle.ts', '^- .*\\d.*\\|', 'reads at most 4,096 characters'],
  ['packages/storage/src/sqlite/refuse-network.ts', '^.* on ', 'reads what the command mount prints'],
  [
    'packages/web/src/app/markdown/keep-html.ts',
    '<!--[\\s\\S]{0,5000}?',
    'reads at most 5,000 characters at each sign',
  ],
];

/** Regular expressions take linear time for any text, since most texts are other people's (SEC-11). */
export function linearRegexes({ modules }: House): string[] {
  return modules
    .filter(({ path }) => !path.startsWith('tools/'))
    .flatMap(({ path, regexes }) =>
      regexes
        .filter(({ source }) => !EXCEPTIONS.some(([file, start]) => file === path && source.startsWith(start)))
        .flatMap(({ source, flags }) => {
          const attack = attackRegex(source, flags);
          if (attack === null) return [];
          const { prefix, pump, suffix } = attack;
          const text = `${JSON.stringify(prefix)} + ${JSON.stringify(pump)}.repeat(n) + ${JSON.stringify(suffix)}`;
          return [`${path} has /${source}/${flags}, which takes more than linear time for ${text}`];
        }),
    );
}
