import { setTimeout as sleep } from 'node:timers/promises';
import { time } from './statistics.js';

/** Milliseconds between two requests. */
const PAUSE = 20;

// Requests `/healthz` until it is told to stop, in its own process, so that the times do not include the work of the
// clients.
const times: number[] = [];
let isDone = false;
process.once('message', () => {
  isDone = true;
});
const address = `${process.argv[2]}/healthz`;
while (!isDone) {
  times.push(await time(() => fetch(address).then((response) => response.text())));
  await sleep(PAUSE);
}
process.send?.(times);
process.disconnect();
