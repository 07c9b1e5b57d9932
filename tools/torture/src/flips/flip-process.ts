import { writeSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRandom } from '../random.js';
import { useStore } from './use-store.js';

/**
 * Flips one bit after another in copies of a store, and prints what each led to. Arguments: file, seed, first, last.
 */
const [file = '', seed = '1', first = '0', last = '0'] = process.argv.slice(2);
const whole = await readFile(file);
const texts = JSON.parse(await readFile(`${file}.json`, 'utf8'));
for (let flip = Number(first); flip < Number(last); flip++) {
  const random = createRandom(Number(seed) + flip);
  const position = random.below(whole.length);
  const copy = `${file}-flipped`;
  const content = Buffer.from(whole);
  content[position] = (content[position] ?? 0) ^ (1 << random.below(8));
  await writeFile(copy, content);
  const outcome = await useStore(copy, texts);
  for (const ending of ['', '-wal', '-shm']) await rm(copy + ending, { force: true });
  writeSync(1, `${flip} ${outcome}\n`);
}
