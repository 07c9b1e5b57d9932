// Times a search against summing the bytes that it reads, interleaved. Usage: node bench/bench.mjs [vectors…]
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';
import { createSharedVectors, openVectors, quantise } from '../dist/index.js';

const DIMENSIONS = 384;
const ROUNDS = 31;
const LIMIT = 50;

/** Clustered unit vectors: around one of a few thousand centres. */
function createSource() {
  let state = 42;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const noise = Float32Array.from({ length: 1 << 16 }, normal);
  const centres = Array.from({ length: 2_000 }, () => Float32Array.from({ length: DIMENSIONS }, normal));
  return () => {
    const centre = centres[Math.floor(random() * centres.length)];
    const from = Math.floor(random() * (noise.length - DIMENSIONS));
    const vector = Float32Array.from(centre, (component, at) => component + 0.8 * noise[from + at]);
    const length = Math.hypot(...vector);
    return vector.map((component) => component / length);
  };
}

async function compileFloor() {
  const file = join(tmpdir(), `floor-${process.pid}.wasm`);
  const source = new URL('./floor.ts', import.meta.url).pathname;
  const { error, stderr } = await asc.main([
    ...[source, '--baseDir', '/', '--outFile', file.slice(1), '--runtime', 'stub', '-O3', '--noAssert'],
    ...['--importMemory', '--sharedMemory', '--maximumMemory', '65536', '--enable', 'simd', '--enable', 'threads'],
  ]);
  if (error) throw new Error(stderr.toString());
  return new WebAssembly.Module(readFileSync(file));
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const time = (work) => {
  const started = performance.now();
  work();
  return performance.now() - started;
};

const floorModule = await compileFloor();
for (const count of process.argv
  .slice(2)
  .map(Number)
  .concat(process.argv.length > 2 ? [] : [10_000, 100_000])) {
  const next = createSource();
  const shared = createSharedVectors({ budget: 2 ** 32, threads: 1 });
  const vectors = openVectors(shared, 0);
  vectors.reset({ dimensions: DIMENSIONS, hasRows: true });
  const started = performance.now();
  for (let id = 0; id < count; ) {
    vectors.change(({ put }) => {
      for (const end = Math.min(count, id + 10_000); id < end; id++)
        put(id, new Uint8Array(quantise(next()).buffer), { value: id, labels: [id % 100, 1_000 + (id % 7), 999] });
    });
  }
  const filling = performance.now() - started;
  const { sum } = new WebAssembly.Instance(floorModule, { env: { memory: shared.memory, abort() {} } }).exports;
  const start = 2 * 2 ** 20;
  const subjects = {
    rows: (query) => vectors.search(query, { limit: LIMIT, signsFrom: Number.POSITIVE_INFINITY }),
    'rows, a hundredth': (query) =>
      vectors.search(query, { limit: LIMIT, signsFrom: Number.POSITIVE_INFINITY, filter: { labels: [7] } }),
    'floor of rows': () => sum(start, count * DIMENSIONS),
    signs: (query) => vectors.search(query, { limit: LIMIT, signsFrom: 0 }),
    'signs, a hundredth': (query) => vectors.search(query, { limit: LIMIT, signsFrom: 0, filter: { labels: [7] } }),
    'signs, all': (query) => vectors.search(query, { limit: LIMIT, signsFrom: 0, filter: { labels: [999] } }),
    'floor of signs': () => sum(start, (count * DIMENSIONS) / 8),
  };
  const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  let found = 0;
  for (let round = 0; round < ROUNDS + 3; round++) {
    const query = next();
    for (const [name, run] of Object.entries(subjects)) {
      const took = time(() => run(query));
      if (round >= 3) times[name].push(took);
    }
    const exact = new Set(
      subjects
        .rows(query)
        .slice(0, 10)
        .map(({ id }) => id),
    );
    found +=
      subjects
        .signs(query)
        .slice(0, 10)
        .filter(({ id }) => exact.has(id)).length /
      exact.size /
      (ROUNDS + 3);
  }
  const medians = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
  console.log(
    `${count} vectors, ${(vectors.bytes().used / 2 ** 20).toFixed(0)} MB, filled in ${filling.toFixed(0)} ms`,
  );
  for (const [name, value] of Object.entries(medians)) console.log(`  ${name.padEnd(20)} ${value.toFixed(3)} ms`);
  console.log(`  rows ÷ floor ${(medians.rows / medians['floor of rows']).toFixed(2)}`);
  console.log(`  signs ÷ floor ${(medians.signs / medians['floor of signs']).toFixed(2)}`);
  console.log(`  recall@10 of signs against rows ${found.toFixed(3)}`);
}
