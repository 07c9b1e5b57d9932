import { availableParallelism } from 'node:os';
import { drawCharts } from './draw-charts.js';
import { printComparison } from './extraction/print-comparison.js';
import type { Figure } from './figure.js';
import { measureCapture, measureIndexing, measureQueries } from './measure.js';
import { measureBackup } from './measure-backup.js';
import { measureCommand } from './measure-command.js';
import { measureCrowd } from './measure-crowd.js';
import { measureDatabase } from './measure-database.js';
import { measureExtension } from './measure-extension.js';
import { measureGate } from './measure-gate.js';
import { measureGrowth } from './measure-growth.js';
import { measureLarge } from './measure-large.js';
import { measureBacklog, measureThroughput } from './measure-load.js';
import { measureMcp } from './measure-mcp.js';
import { measureNeighbour } from './measure-neighbour.js';
import { measurePlugins } from './measure-plugins.js';
import { measurePostgres } from './measure-postgres.js';
import { measureSearch } from './measure-search.js';
import { measureStages } from './measure-stages.js';
import { measureTransfer } from './measure-transfer.js';
import { measureWeb } from './measure-web.js';
import { measureWorst } from './measure-worst.js';
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
/** Measurements by name. Without a name, everything is measured. */
const selections: Readonly<Record<string, Measurement[]>> = {
  web: [measureWeb],
  backup: [measureBackup],
  command: [measureCommand],
  load: [measureThroughput, measureBacklog, measureCrowd],
  neighbour: [measureNeighbour],
  worst: [measureWorst],
};
/** Long measurements, which run only by name. */
const large: Readonly<Record<string, Measurement[]>> = {
  search: [() => measureSearch(10_000), () => measureSearch(100_000), () => measureSearch(1_000_000)],
  'search-10k': [() => measureSearch(10_000)],
  'search-100k': [() => measureSearch(100_000)],
  'search-1m': [() => measureSearch(1_000_000)],
  stages: [() => measureStages(10_000), () => measureStages(100_000)],
  export: [measureTransfer],
  growth: [measureGrowth],
  postgres: [() => measurePostgres(100_000)],
  'postgres-10k': [() => measurePostgres(10_000)],
  database: [measureDatabase],
  '100k': [() => measureLarge(100_000)],
  million: [() => measureLarge(1_000_000)],
};

type Measurement = () => Promise<Figure[]>;

const names = process.argv.slice(2).filter((word) => !/^\d+$/.test(word));
if (names.join() === 'charts') {
  await drawCharts();
  process.exit(0);
}
if (names[0] === 'extraction') {
  const files = names.slice(1);
  if (files.length === 0) {
    console.error('Name one or more files of pages whose text is known: npm run bench -- extraction PAGES.jsonl.gz');
    process.exit(2);
  }
  for (const file of files) await printComparison(file);
  process.exit(0);
}
const unknown = names.find((name) => selections[name] === undefined && large[name] === undefined);
if (unknown !== undefined) {
  console.error(
    `Unknown measurement ${unknown}. Use ${Object.keys({ ...selections, ...large }).join(', ')}, charts, extraction, or none for everything.`,
  );
  process.exit(2);
}
const measurements =
  names.length === 0
    ? [...general, ...Object.values(selections).flat()]
    : names.flatMap((name) => selections[name] ?? large[name] ?? []);
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
