import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SearchTest } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { LOCAL_USER, type ModelTrial, tryModel } from '@recollect/core';
import { openTrial } from '../../compose.js';
import { type Configuration, ConfigurationError, readConfiguration } from '../../config.js';
import { describeTime } from '../../terminal/describe-speed.js';
import { print, printJson } from '../../terminal/output.js';
import { showProgress } from '../../terminal/progress.js';
import { InvalidOptionError, withRecollect } from '../command.js';
import { MADE_OF, NOTHING_TO_ASK, share } from './search-test-terms.js';

/** Memories that are embedded with both models: enough for shares that mean something, in a minute or two each. */
const COPIED = 200;
/** The name of the model that ships. */
const SHIPPED = 'shipped';

/** Tests search with the present model and with another one, on copies of a part of the store. */
export async function compareModels(model: string, json: boolean): Promise<void> {
  const configuration = readConfiguration();
  const embeddings =
    model === SHIPPED ? ({ kind: 'default' } as const) : ({ kind: 'folder', folder: resolve(model) } as const);
  if (isDeepStrictEqual(embeddings, configuration.embeddings))
    throw new InvalidOptionError(
      `--model: ${model} is in use already. Name another folder${model === SHIPPED ? '' : ', or shipped'}.`,
    );
  await withRecollect(async ({ core }) => {
    const { total } = await core.indexing.state(LOCAL_USER);
    if (total === 0) return json ? printJson({ memories: 0, present: null, other: null }) : print(NOTHING_TO_ASK);
    const tryOne = async (name: string, given: Configuration) => {
      const trial = await openTrial(given);
      const bar = showProgress(100, json);
      try {
        return await tryModel(core, LOCAL_USER, trial.core, {
          most: COPIED,
          onProgress: (embedded, of) =>
            bar.update(Math.round((100 * embedded) / of), `${name}: ${embedded} of ${count(of, 'passage')} embedded`),
        });
      } finally {
        bar.stop(name);
        await trial.close();
      }
    };
    // The other one first: a folder that holds no model is named at once.
    const other = await tryOne('The other model', { ...configuration, embeddings }).catch(explainFolder);
    const present = await tryOne('The present model', configuration);
    if (json) return printJson({ memories: present.memories, present: factsOf(present), other: factsOf(other) });
    printComparison(present, other, { total, settings: settingsFor(model, configuration) });
  }, 'transfer');
}

function explainFolder(error: unknown): never {
  if (error instanceof ConfigurationError)
    throw new InvalidOptionError(error.message.replace(/^RECOLLECT_MODEL_DIR/, '--model'));
  throw error;
}

function factsOf({ result, embedded, perSecond }: ModelTrial) {
  return { ...result, embedded, chunksPerSecond: Math.round(perSecond * 10) / 10 };
}

function printComparison(
  present: ModelTrial,
  other: ModelTrial,
  { total, settings }: { total: number; settings: string },
): void {
  const { queries } = present.result;
  print(
    `${count(queries, 'question')} made from ${present.memories < total ? `${present.memories} of ` : ''}your ${count(total, 'memory', 'memories')}, which were copied into memory and embedded with both models. Your store was not changed.\n`,
  );
  const heading = present.result.model === null ? 'by words only' : 'present model';
  print(`${''.padEnd(20)}       ${heading.padEnd(26)}other model`);
  for (const kind of present.result.kinds)
    print(
      `${MADE_OF[kind.kind].padEnd(20)} ${String(kind.queries).padStart(3)}   ${sharesOf(kind)}   ${sharesOf(kindOf(other.result, kind.kind))}`,
    );
  const difference = other.result.first - present.result.first;
  const more = `${Math.abs(difference)} ${difference > 0 ? 'more' : 'fewer'}`;
  print(
    difference === 0
      ? '\nBoth models find equally many memories first.'
      : `\nThe other model finds ${more} of ${queries} memories first. A difference of a few is chance.`,
  );
  for (const [name, { embedded, perSecond }] of [
    ['present', present],
    ['other', other],
  ] as const)
    if (embedded > 0) print(`The ${name} model embeds ${Math.round(perSecond)} passages a second.`);
  print(
    `To use the other model, ${settings}, and restart Recollect. All memories are then embedded again${durationOf(other, total)}.`,
  );
}

/** What to set and to unset, in words, so that Recollect uses this model. */
function settingsFor(model: string, { embeddings }: Configuration): string {
  const replaced = { default: [], folder: ['MODEL_DIR'], http: ['EMBEDDINGS_URL'], off: ['EMBEDDINGS'] }[
    embeddings.kind
  ];
  const unset = replaced.map((name) => `unset RECOLLECT_${name}`);
  if (model === SHIPPED) return unset.join();
  const set = `set RECOLLECT_MODEL_DIR=${resolve(model)}`;
  return [...(embeddings.kind === 'folder' ? [] : unset), set].join(' and ');
}

/** How long embedding the whole store takes, as far as the trial can tell. */
function durationOf({ embedded, memories, perSecond }: ModelTrial, total: number): string {
  if (embedded === 0) return '';
  return `, which takes about ${describeTime((embedded * total) / memories / perSecond)}`;
}

function kindOf({ kinds }: SearchTest, kind: SearchTest['kinds'][number]['kind']) {
  return kinds.find((one) => one.kind === kind);
}

function sharesOf(kind: SearchTest['kinds'][number] | undefined): string {
  if (kind === undefined) return '';
  return `${share(kind.first, kind.queries)} first, ${share(kind.inTen, kind.queries)} in ten`;
}
