import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@recollect/contract/client';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { quantile, time } from './statistics.js';

const SHIPPED = ['auto-tag', 'daily-digest', 'link-rot', 'related'];
const CAPTURES = 1_000;
/** Milliseconds of captures, alternately with and without a spinning plugin. Short, because machine speed varies. */
const BLOCK = 1_500;
const BLOCKS = 8;

const script = fileURLToPath(new URL('./serve-with-plugins.js', import.meta.url));

async function openProcess(hookMs: number, ...plugins: string[]): Promise<{ client: Client; process: ChildProcess }> {
  const process = fork(script, [String(hookMs), ...plugins]);
  const [baseUrl] = await once(process, 'message');
  return { client: createClient({ baseUrl }), process };
}

async function close(process: ChildProcess): Promise<void> {
  const exited = once(process, 'exit');
  process.disconnect();
  await exited;
}

let count = 0;
/** One durable capture without embedding, in milliseconds. */
function capture(client: Client, pageText: string): Promise<number> {
  count += 1;
  return time(() =>
    client('capture', { body: { title: `Page ${count}`, url: `https://a.example/${count}`, pageText } }),
  );
}

/** Measures what plugins add to a capture: the four that ship, and one whose hook never returns. */
export async function measurePlugins(): Promise<Figure[]> {
  return [...(await measureShipped()), ...(await measureSpinning())];
}

/** Alternates captures between a service without plugins and one with all that ship. */
async function measureShipped(): Promise<Figure[]> {
  const services = await Promise.all([openProcess(30_000), openProcess(30_000, ...SHIPPED)]);
  const word = createWords(createRandom(3));
  const times: [number[], number[]] = [[], []];
  for (let at = 0; at < CAPTURES; at++) {
    const text = createText(word, 120);
    // The two take turns at going first.
    for (const index of at % 2 === 0 ? [0, 1] : [1, 0]) {
      const service = services[index];
      if (service !== undefined) times[index]?.push(await capture(service.client, text));
    }
  }
  await Promise.all(services.map(({ process }) => close(process)));
  const [without, installed] = times.map((all) => quantile(all.slice(CAPTURES / 10), 0.5)) as [number, number];
  return [
    { name: 'capture with four plugins, ratio to none, p50', value: installed / without, unit: 'times', limit: 1.05 },
  ];
}

/** Captures to one service, in blocks: while its plugin spins, and while it waits for the next notification. */
async function measureSpinning(): Promise<Figure[]> {
  const folder = fileURLToPath(new URL('../fixtures/spinning/', import.meta.url));
  const { client, process } = await openProcess(BLOCK + 1_200, folder);
  const word = createWords(createRandom(4));
  const block = async () => {
    const times: number[] = [];
    const until = performance.now() + BLOCK;
    while (performance.now() < until) times.push(await capture(client, createText(word, 120)));
    return times;
  };
  const countRuns = async () =>
    (await client('pluginRuns', { parameters: { slug: 'spinning' }, query: {} })).runs.length;
  await block();
  const quiet: number[] = [];
  const spinning: number[] = [];
  for (let round = 1; round <= BLOCKS; round++) {
    await client('pluginAction', { body: { action: 'enable', slug: 'spinning' } });
    // Longer than the pause before plugins are notified plus the start of a process.
    await capture(client, 'Something to be told');
    await sleep(1_200);
    spinning.push(...(await block()));
    while ((await countRuns()) < round) await sleep(100);
    quiet.push(...(await block()));
  }
  await close(process);
  const ratio = (share: number) => quantile(spinning, share) / quantile(quiet, share);
  return [
    { name: 'capture with a spinning plugin, ratio to none, p50', value: ratio(0.5), unit: 'times', limit: 1.1 },
    { name: 'capture with a spinning plugin, ratio to none, p99', value: ratio(0.99), unit: 'times', limit: 1.1 },
  ];
}
