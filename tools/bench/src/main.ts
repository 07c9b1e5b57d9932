import { availableParallelism } from 'node:os';
import type { Figure } from './figure.js';
import { measureCapture, measureIndexing, measureQueries } from './measure.js';
import { measureExtension } from './measure-extension.js';
import { measureGate } from './measure-gate.js';
import { measureMcp } from './measure-mcp.js';
import { measurePlugins } from './measure-plugins.js';
import { measureWeb } from './measure-web.js';
import { quantile } from './statistics.js';

const general: Measurement[] = [
  measureCapture,
  () => measureQueries(1_000),
  () => measureQueries(10_000),
  measureIndexing,
  measureGate,
  measureMcp,
  measurePlugins,
  measureExtension,
];
/** What can be measured on its own, by the name that is typed. Without a name, everything is measured. */
const selections: Readonly<Record<string, Measurement[]>> = { web: [measureWeb] };

type Measurement = () => Promise<Figure[]>;

const names = process.argv.slice(2).filter((word) => !/^\d+$/.test(word));
const unknown = names.find((name) => selections[name] === undefined);
if (unknown !== undefined) {
  console.error(`Unknown measurement ${unknown}. Use ${Object.keys(selections).join(', ')}, or none for everything.`);
  process.exit(2);
}
const measurements =
  names.length === 0
    ? [...general, ...Object.values(selections).flat()]
    : names.flatMap((name) => selections[name] ?? []);
/** Rounds of all measurements, alternating, so that a slow minute of the machine affects all. Medians are printed. */
const ROUNDS = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 3);

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
