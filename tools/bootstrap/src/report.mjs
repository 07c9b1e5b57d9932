// @ts-check

/** Reports progress on standard error: the output of the started program stays clean for pipes. @param {string} text */
export function report(text) {
  process.stderr.write(`recollect: ${text}\n`);
}

/** A failure whose message tells the user what to do. */
export class BootstrapError extends Error {}
