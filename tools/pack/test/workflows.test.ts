import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

interface Workflow {
  permissions: unknown;
  jobs: Record<string, { steps: { uses?: string; run?: string }[] }>;
}

test.each(globSync('.github/workflows/*.yml', { cwd: root }))(
  '%s: actions are pinned by commit, and all that it runs runs locally as well',
  (path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const { permissions, jobs }: Workflow = parse(text);
    expect(permissions).toEqual({ contents: 'read' });
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    expect(steps.length).toBeGreaterThan(2);
    for (const { uses, run } of steps) {
      if (uses !== undefined) {
        expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
        expect(text).toMatch(new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+\\n`));
      }
      for (const [, name = ''] of run?.matchAll(/\bnpm (?:run )?([a-z:]+)/g) ?? [])
        expect(scripts).toHaveProperty([name]);
      // A value of GitHub in a command would be run by the shell.
      expect(run ?? '').not.toContain('${{');
    }
  },
);
