import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { Row } from './measure-search.js';
import { importPeer, installPeers } from './search/peers.js';

const results = new URL('../results/', import.meta.url);
const images = new URL('../../../docs/images/', import.meta.url);

/** Draws the kept results of `search` as docs/images/search-….svg: one bar for each engine at each size. */
export async function drawCharts(): Promise<void> {
  installPeers();
  const names = (await readdir(results)).filter((name) => /^search-\d+\.json$/.test(name));
  const files = await Promise.all(names.map((name) => readFile(new URL(name, results), 'utf8')));
  const rows = files.flatMap((file) => (JSON.parse(file) as { rows: Row[] }).rows);
  const bars = (value: (row: Row) => number | undefined) =>
    rows.flatMap((row) => {
      const shown = value(row);
      return shown === undefined
        ? []
        : [{ engine: row.engine, size: `${row.count.toLocaleString('en')} memories`, value: shown }];
    });
  await draw(
    'search-hybrid',
    'Hybrid query, p50 in ms',
    bars(({ hybrid }) => hybrid?.p50),
  );
  await draw(
    'search-nearest',
    'Nearest vectors, p50 in ms',
    bars(({ nearest }) => nearest?.p50),
  );
  await draw(
    'search-memory',
    'Resident memory in MB',
    bars(({ memory }) => memory),
  );
}

interface Bar {
  engine: string;
  size: string;
  value: number;
}

async function draw(name: string, title: string, values: Bar[]): Promise<void> {
  const sizes = [...new Set(values.map(({ size }) => size))].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const encoding = {
    y: { field: 'engine', type: 'nominal', title: null, sort: { field: 'value' } },
    x: { field: 'value', type: 'quantitative', title, scale: { type: 'log', domainMin: 0.1 } },
  };
  const bar = {
    mark: { type: 'bar', height: 14 },
    encoding: {
      color: {
        condition: { test: "datum.engine === 'recollect'", value: '#2563eb' },
        value: '#9ca3af',
      },
      x2: { datum: 0.1 },
    },
  };
  const label = {
    mark: { type: 'text', align: 'left', dx: 4 },
    encoding: { text: { field: 'value', type: 'quantitative', format: '.3~s' } },
  };
  const spec = {
    data: { values },
    facet: {
      row: { field: 'size', type: 'nominal', title: null, sort: sizes, header: { labelAngle: 0, labelAlign: 'left' } },
    },
    spec: { width: 420, encoding, layer: [bar, label] },
    resolve: { scale: { y: 'independent' } },
    config: { background: 'white', font: 'sans-serif' },
  };
  const { compile } = await importPeer('vega-lite');
  const { parse, View } = await importPeer('vega');
  const svg: string = await new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG();
  await writeFile(new URL(`${name}.svg`, images), `${svg}\n`);
}
