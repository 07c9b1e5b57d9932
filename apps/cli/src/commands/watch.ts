import { stat } from 'node:fs/promises';
import { count } from '@recollect/contract/text';
import { readConfiguration } from '../config.js';
import { inert, print } from '../terminal/output.js';
import { explainFileError } from '../transfer/write-file.js';
import { describeStep } from '../watch/keep-in-step.js';
import { type AddCommand, addValue, InvalidOptionError, stopSignal, withExecutor } from './command.js';

export const addWatch: AddCommand = (program) => {
  program
    .command('watch')
    .description('keep folders of notes, texts and PDFs in step with their memories until stopped')
    .argument('<folders...>', 'folders, with the folders in them')
    .option('--tag <tag>', 'a tag for new memories; repeat for several', addValue)
    .action(runWatch);
};

async function runWatch(folders: readonly string[], { tag = [] }: { tag?: string[] }): Promise<void> {
  const signal = stopSignal();
  for (const folder of folders) {
    const facts = await stat(folder).catch((error) => Promise.reject(explainFileError(error, folder)));
    if (!facts.isDirectory()) throw new InvalidOptionError(`${folder} is not a folder.`);
  }
  const { dataFolder } = readConfiguration();
  const { openExtractor } = await import('../compose/open-recollect.js');
  const { watchFolder } = await import('../watch/watch-folder.js');
  const extractor = openExtractor();
  const watches = folders.map((folder) =>
    watchFolder(folder, {
      dataFolder,
      tags: tag,
      // A server may start or stop while folders are watched.
      withCall: (work) =>
        withExecutor(async ({ call, embed }) => {
          const done = await work(call);
          await embed({ isQuiet: true });
          return done;
        }),
      readPdf: (bytes) => extractor.extractPdf(bytes),
      onStep(step) {
        if (step.did === 'skipped') process.stderr.write(`${inert(describeStep(step))}\n`);
        else print(inert(describeStep(step)));
      },
      onProblem: (sentence) => process.stderr.write(`${inert(sentence)}\n`),
    }),
  );
  try {
    await Promise.all(watches.map(({ ready }) => ready));
    print(`Watching ${count(folders.length, 'folder', 'folders')}. Press Ctrl-C to stop.`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    await Promise.all(watches.map((watch) => watch.close()));
    await extractor.close();
  }
}
