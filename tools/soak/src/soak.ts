import { setTimeout as sleep } from 'node:timers/promises';
import { backUp } from './back-up.js';
import type { Context } from './kinds/kind.js';
import { createLedger } from './ledger.js';
import { type Result, summarise } from './report.js';
import { createRestarter } from './restart.js';
import { runLoad } from './run-load.js';
import { type Sample, sampleProcess } from './sample-process.js';
import { createSend, isOk, type Send } from './send.js';
import { createServerProcess } from './server-process.js';
import { createTally } from './tally.js';
import { verify } from './verify.js';

/** Milliseconds between two samples, and before a request is sent again. */
const PAUSE = { sample: 5_000, retry: 250 };

/** Runs the server under load for some minutes, and checks afterwards that nothing acknowledged is lost. */
export async function soak(minutes: number, folder: string): Promise<Result> {
  const server = createServerProcess(folder);
  await server.start();
  const send = createSend(() => server.address() ?? '');
  await install(send);
  const lost: string[] = [];
  const ledger = createLedger();
  const context: Context = {
    send,
    ledger,
    contradict: (sentence) => void lost.push(sentence),
    async sendUntilAnswered(...request) {
      for (;;) {
        const answer = await send(...request);
        const isWorthRetrying = answer.status === null || answer.status === 503;
        if (!isWorthRetrying || (server.isUp() && !restarter.isRestarting())) return answer;
        await sleep(PAUSE.retry);
      }
    },
  };
  const restarter = createRestarter(server, minutes);
  const tally = createTally();
  const samples: Sample[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const begin = performance.now();
  const sampling = (async () => {
    while (!signal.aborted) {
      await sleep(PAUSE.sample, undefined, { signal }).catch(() => {});
      const minute = (performance.now() - begin) / 60_000;
      const sample = restarter.isRestarting() ? null : await sampleProcess(send, minute, restarter.count() + 1);
      if (sample !== null) samples.push(sample);
    }
  })();
  const end = setTimeout(() => stopping.abort(), minutes * 60_000);
  try {
    const [leftOut, backups] = await Promise.all([
      runLoad(context, tally, restarter, signal),
      backUp(send, tally, restarter, signal),
      restarter.run(signal).finally(() => stopping.abort()),
      sampling,
    ]);
    lost.push(...(await verify(send, ledger)));
    await server.stop('SIGKILL');
    await server.start();
    lost.push(...(await verify(send, ledger)).map((sentence) => `after the last kill, ${sentence}`));
    const more = { minutes, leftOut, backups, restarts: restarter.count(), memories: ledger.entries.size, lost };
    return summarise(tally, samples, more);
  } finally {
    clearTimeout(end);
    stopping.abort();
    await server.stop('SIGTERM');
  }
}

async function install(send: Send): Promise<void> {
  const answer = await send('POST', '/api/v1/plugins', { action: 'install', slug: 'auto-tag' });
  if (!isOk(answer)) throw new Error(`The plugin was not installed: ${JSON.stringify(answer.body)}`);
}
