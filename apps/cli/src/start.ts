#!/usr/bin/env node
// Imports nothing before the check: on an older Node, the imports of the program fail with a message for programmers.

/** The oldest Node that has what the program needs, as in the field `engines`. */
const OLDEST = [22, 18] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `Recollect needs Node ${OLDEST.join('.')} or later, but this is Node ${process.versions.node}. Update Node, then try again.\n`,
  );
  process.exitCode = 1;
} else {
  await import('./start-program.js');
}
