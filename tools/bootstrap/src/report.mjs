// @ts-check

/** Tells what is going on, on standard error alone: the output of what is started stays clean for pipes. @param {string} text */
export function report(text) {
  process.stderr.write(`recollect: ${text}\n`);
}

/** A failure with what to do about it; the message is for people. */
export class BootstrapError extends Error {}
