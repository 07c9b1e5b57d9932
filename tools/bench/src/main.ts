import { availableParallelism } from 'node:os';
import type { Figure } from './figure.js';
import { measureCapture, measureIndexing, measureQueries } from './measure.js';
import { measureExtension } from './measure-extension.js';
import { measureGate } from './measure-gate.js';
import { measureMcp } from './measure-mcp.js';
import { measurePlugins } from './measure-plugins.js';
import { quantile } from './statistics.js';

/** Rounds of all measurements, alternating, so that a slow minute of the machine affects all. Medians are printed. */
const ROUNDS = Number(process.argv[2] ?? 3);

const measurements: (() => Promise<Figure[]>)[] = [
  measureCapture,
  () => measureQueries(1_000),
  () => measureQueries(10_000),
  measureIndexing,
  measureGate,
  measureMcp,
  measurePlugins,
  measureExtension,
];

const figures = new Map<string, Figure[]>();
for (let round = 1; round <= ROUNDS; round++) {
  for (const measure of measurements) {
    for (const figure of await measure()) figures.set(figure.name, [...(figures.get(figure.name) ?? []), figure]);
    process.stderr.write('.');
  }
}
process.stderr.write('\n');

console.log(`Node ${process.version}, ${availableParallelism()} processors, medians of ${ROUNDS} rounds\n`);
for (const [name, rounds] of figures) {
  const value = quantile(
    rounds.map((figure) => figure.value),
    0.5,
  );
  const [{ unit, limit }] = rounds as [Figure];
  // Above 1, the limit is met, whether it is a minimum or a maximum.
  const ratio = unit === 'a second' || unit === 'F1' ? value / limit : limit / value;
  console.log(
    `${name.padEnd(58)} ${value.toFixed(limit < 1 ? 3 : limit < 5 ? 2 : 1).padStart(7)} ${unit.padEnd(9)} limit ${String(limit).padStart(3)}   ${ratio.toFixed(1)}×${ratio < 1 ? '  MISSED' : ''}`,
  );
}
