import fc from 'fast-check';

// `npm test` draws the same values each time, so that it fails for a change and not by chance. The long form draws new ones, and
// more of them, and a failure prints the seed that repeats it.
if (process.env.LONG !== '1') fc.configureGlobal({ seed: 20_261_124, numRuns: 30 });

// Files share a process, and Node notices a time zone that is set, but not one that is taken away again.
process.env.TZ ??= 'UTC';
