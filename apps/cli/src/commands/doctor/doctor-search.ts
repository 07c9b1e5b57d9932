import type { SearchTest } from '@recollect/contract';
import { count, describeTime } from '@recollect/contract/text';
import { LOCAL_USER, type ModelTrial, tryModel } from '@recollect/core';
import {
  type Configuration,
  ConfigurationError,
  type EmbeddingsConfiguration,
  embeddingsOf,
  modelSettings,
  readConfiguration,
} from '../../config.js';
import { modelNamed, settingOf } from '../../model-choice.js';
import { inert, print, printJson, style } from '../../terminal/output.js';
import { showProgress } from '../../terminal/progress.js';
import { type AddCommand, InvalidOptionError, withExecutor, withRecollect } from '../command.js';

export const addDoctorSearch: AddCommand = (doctor) => {
  doctor
    .command('search')
    .description('ask questions made from your own memories, and count how many of them search finds')
    .option(
      '--model <model>',
      'compare the present model with another one: english, multilingual, or a folder as RECOLLECT_MODEL names it',
    )
    .option('--json', 'print JSON')
    .action((_options, command) => testSearch(command.optsWithGlobals()));
};

async function testSearch({ json = false, model }: { json?: boolean; model?: string }): Promise<void> {
  if (model !== undefined) return compareModels(model, json);
  await withExecutor(async ({ call }) => {
    const result = await call('testSearch', {});
    if (json) printJson(result);
    else printTest(result);
  });
}

function printTest({ model, queries, kinds }: SearchTest): void {
  if (queries === 0) {
    print(NOTHING_TO_ASK);
    return;
  }
  print(`${count(queries, 'question')} made from your memories, ${model ?? 'by words only, without a model'}:\n`);
  for (const { kind, queries: asked, first, inTen } of kinds)
    print(
      `${MADE_OF[kind].padEnd(20)} ${String(asked).padStart(3)} asked, ${share(first, asked)} found first, ${share(inTen, asked)} among the first ten`,
    );
  const missed = kinds.flatMap((kind) => kind.missed);
  if (missed.length === 0) return;
  print(`\n${style('bold', 'Not among the first ten')}`);
  for (const { query, title, id } of missed) print(`${inert(query)}\n  ${inert(title)} ${style('dim', id)}`);
}

/** The names of the kinds of questions. */
export const MADE_OF: Readonly<Record<SearchTest['kinds'][number]['kind'], string>> = {
  titles: 'titles',
  sentences: 'words of sentences',
  highlights: 'highlights',
};

export const NOTHING_TO_ASK = 'There is nothing to ask for yet. Save something first.';

/** A share in per cent, padded for a column. */
export function share(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`.padStart(5);
}

/** Memories that are embedded with both models: enough for shares that mean something, in a minute or two each. */
const COPIED = 200;

/** Search with the present model and with another one, on copies of a part of the store. */
export interface Comparison {
  present: ModelTrial;
  other: ModelTrial;
  /** The memories of the store. */
  total: number;
}

/** Whether a configuration uses this model, however it was chosen. */
export function isInUse(embeddings: EmbeddingsConfiguration, { embeddings: present }: Configuration): boolean {
  const modelOf = (embeddings: EmbeddingsConfiguration) =>
    embeddings.kind === 'folder' || embeddings.kind === 'shipped' ? settingOf(embeddings) : null;
  return embeddings.kind === present.kind && modelOf(embeddings) === modelOf(present);
}

/** Tests search with the present model and with another one, and prints both. */
async function compareModels(model: string, json: boolean): Promise<void> {
  const configuration = readConfiguration();
  const embeddings = embeddingsOf(modelNamed(model), '--model');
  if (isInUse(embeddings, configuration))
    throw new InvalidOptionError(
      `--model: ${model} is in use already. Name another one: english, multilingual, or a folder.`,
    );
  const comparison = await compare(configuration, embeddings, json);
  if (comparison === null) return json ? printJson({ memories: 0, present: null, other: null }) : print(NOTHING_TO_ASK);
  const { memories } = comparison.present;
  if (json) return printJson({ memories, present: factsOf(comparison.present), other: factsOf(comparison.other) });
  printComparison(comparison);
  print(
    `To use the other model, ${stepsFor(model)}, and restart Recollect. All memories are then embedded again${durationOf(comparison)}.`,
  );
}

/**
 * Copies memories into memory, embeds them with both models, and asks both the same questions. Null if there are no
 * memories.
 */
export async function compare(
  configuration: Configuration,
  embeddings: EmbeddingsConfiguration,
  json: boolean,
): Promise<Comparison | null> {
  const { openTrial } = await import('../../compose/open-recollect.js');
  let comparison: Comparison | null = null;
  await withRecollect(async ({ core }) => {
    const { total } = await core.indexing.state(LOCAL_USER);
    const tryOne = async (name: string, configuration: Configuration) => {
      const trial = await openTrial(configuration);
      const bar = showProgress(100, json || total === 0);
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
    const other = await tryOne('The other model', { ...configuration, embeddings }).catch(rejectModel);
    if (total > 0) comparison = { present: await tryOne('The present model', configuration), other, total };
  }, 'transfer');
  return comparison;
}

/** Rethrows what is wrong with the folder of a model, which a command names and no setting. */
export function rejectModel(error: unknown): never {
  throw error instanceof ConfigurationError ? new InvalidOptionError(error.message) : error;
}

export function factsOf({ result, embedded, perSecond }: ModelTrial) {
  return { ...result, embedded, chunksPerSecond: Math.round(perSecond * 10) / 10 };
}

export function printComparison({ present, other, total }: Comparison): void {
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
}

/** The command or the settings with which Recollect uses this model. */
function stepsFor(model: string): string {
  const settings = modelSettings();
  const unset = settings.filter((name) => name !== 'RECOLLECT_MODEL').map((name) => `unset ${name}`);
  const name = settingOf(modelNamed(model));
  const isSet = settings.includes('RECOLLECT_MODEL');
  return [...unset, isSet ? `set RECOLLECT_MODEL=${name}` : `run recollect model use ${name}`].join(' and ');
}

/** How long embedding the whole store takes, as far as the trial can tell. */
function durationOf({ other: { embedded, memories, perSecond }, total }: Comparison): string {
  if (embedded === 0) return '';
  return `, which takes about ${describeTime((embedded * total) / memories / perSecond)}`;
}

function kindOf({ kinds }: SearchTest, kind: SearchTest['kinds'][number]['kind']) {
  return kinds.find((entry) => entry.kind === kind);
}

function sharesOf(kind: SearchTest['kinds'][number] | undefined): string {
  if (kind === undefined) return '';
  return `${share(kind.first, kind.queries)} first, ${share(kind.inTen, kind.queries)} in ten`;
}
