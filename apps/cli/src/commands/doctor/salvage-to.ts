import { mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { writeExport } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { salvageStore } from '../../compose.js';
import type { Configuration } from '../../config.js';
import { ConfigurationError } from '../../config.js';
import { print, printJson } from '../../terminal/output.js';
import { version } from '../../version.js';
import { toImportable } from './to-importable.js';

const NAME = 'recollect-salvaged.jsonl';

/** Writes what can be read of a damaged store into an export in a folder. A file that is there already is kept. */
export async function salvageTo(configuration: Configuration, folder: string, json: boolean): Promise<void> {
  const target = resolve(folder);
  await mkdir(target, { recursive: true, mode: 0o700 });
  const path = join(target, NAME);
  const file = await open(path, 'wx', 0o600).catch((error) => {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new ConfigurationError(
      isThere ? `${path} exists already. Name another folder.` : `${path} cannot be written.`,
    );
  });
  const found = { whole: 0, partial: 0 };
  let walLost = false;
  const onLostWal = () => {
    walLost = true;
  };
  async function* records() {
    for await (const { record, isWhole } of salvageStore(configuration, target, { onLostWal })) {
      found[isWhole ? 'whole' : 'partial'] += 1;
      yield toImportable(record);
    }
  }
  await pipeline(
    writeExport(records(), { program: version, now: new Date() }),
    file.createWriteStream({ flush: true }),
  );
  if (json) return printJson({ path, memories: found.whole + found.partial, partial: found.partial, walLost });
  print(`${count(found.whole + found.partial, 'memory', 'memories')} written to ${path}.`);
  if (found.partial > 0)
    print(`Of ${count(found.partial, 'memory', 'memories')}, a part could not be read. The text says where.`);
  if (walLost) print('The WAL of the store could not be read, so the newest memories and changes may be missing.');
  print(`Import them into a new store with: recollect import ${path}`);
}
