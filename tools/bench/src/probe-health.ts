import { setTimeout as sleep } from 'node:timers/promises';
import { time } from './statistics.js';

/** Milliseconds between two requests. */
const PAUSE = 20;

// Asks `/healthz` until it is told to stop. It is a process of its own so that the clients' work does not count towards its times.
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
