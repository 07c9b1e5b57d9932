import { count } from '@recollect/contract/text';
import type { ModelTrial } from '@recollect/core';
import {
  type EmbeddingsConfiguration,
  embeddingsOf,
  modelSettings,
  readConfiguration,
  readDataFolder,
  readServerWait,
} from '../config.js';
import { findServer } from '../executor/find-server.js';
import { throughServer } from '../executor/through-server.js';
import { type ModelChoice, modelNamed, shippedModelName, writeModelChoice } from '../model-choice.js';
import { print, printJson, style } from '../terminal/output.js';
import { describeBacklog } from '../terminal/progress.js';
import { type AddCommand, InvalidOptionError, withExecutor } from './command.js';

import { type Comparison, compare, factsOf, isInUse, printComparison, rejectModel } from './doctor/doctor-search.js';

export const addModel: AddCommand = (program) => {
  const shown = program
    .command('model')
    .description('show the embedding model in use and how many memories have its embeddings')
    .option('--json', 'print JSON')
    .action(model);
  shown
    .command('use')
    .description('use another model, unless it finds clearly less in your own memories')
    .argument('<model>', 'english, multilingual, or a folder as RECOLLECT_MODEL names it')
    .option('--force', 'use it without a test')
    .option('--json', 'print JSON')
    .action((name: string, _options, command) => useModel(name, command.optsWithGlobals()));
};

async function model({ json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call, server }) => {
    const { model: name, embeddings } = await call('status', {});
    const { model: shipped } = await call('getModel', {});
    const { total, withEmbeddings, withoutEmbeddings, chunksPerSecond, secondsLeft } = embeddings;
    if (json) return printJson({ model: name, total, withEmbeddings, withoutEmbeddings, chunksPerSecond, secondsLeft });
    if (name === null)
      return print(
        `No model is configured, so search uses full text only. ${count(total, 'memory', 'memories')} in the store.`,
      );
    print(
      `${shipped === null ? style('bold', name) : `${style('bold', shipped)} (${name})`}\n${withEmbeddings} of ${count(total, 'memory', 'memories')} ${total === 1 ? 'has' : 'have'} its embeddings.`,
    );
    if (withoutEmbeddings === 0) return;
    print(describeBacklog(embeddings, server !== null));
  });
}

/** The share of the questions of which a model may find less. A difference of a few is chance. */
const CHANCE = 0.05;

interface Options {
  force?: boolean;
  json?: boolean;
}

/** Chooses the model of the store, unless search on copies of its memories finds clearly less with it. */
async function useModel(model: string, { force = false, json = false }: Options): Promise<void> {
  const [setting] = modelSettings();
  if (setting !== undefined)
    throw new InvalidOptionError(`${setting} is set and decides which model is used. Unset it first.`);
  const choice = modelNamed(model);
  const embeddings = embeddingsOf(choice, 'The model');
  const comparison = force ? await open(embeddings) : await compareWith(model, embeddings, json);
  const isWorse = comparison !== null && findsLess(comparison);
  const isLive = !isWorse && (await choose(choice));
  if (isWorse) process.exitCode = 1;
  if (json) {
    const present = comparison === null ? null : factsOf(comparison.present);
    const other = comparison === null ? null : factsOf(comparison.other);
    return printJson({ model, isUsed: !isWorse, present, other });
  }
  if (comparison !== null) printComparison(comparison);
  const name = 'model' in choice ? shippedModelName(choice.model) : model;
  const outcome = isLive ? `The running server changes to ${name}` : `Recollect uses ${name} from its next start on`;
  const afterwards = isLive
    ? 'It makes the missing embeddings. Until they are ready, searches keep using the old ones, if their model ships.'
    : 'A server then makes the missing embeddings, or recollect reindex does.';
  print(
    isWorse
      ? `The present model stays, because search would find less. To use ${model} nevertheless, add --force.`
      : `${outcome}. ${afterwards}`,
  );
}

/**
 * Writes down the choice, or has the running server do so, which changes to a model that ships at once. Returns whether
 * it does.
 */
async function choose(choice: ModelChoice): Promise<boolean> {
  const folder = readDataFolder();
  const server = 'model' in choice ? await findServer(folder, readServerWait()) : null;
  if (server === null || !('model' in choice)) {
    await writeModelChoice(folder, choice);
    return false;
  }
  const { call, close } = throughServer(server);
  const { next } = await call('chooseModel', { body: choice }).finally(close);
  return next !== null;
}

/** Checks that a model can be opened, even if the present one cannot. */
async function open(embeddings: EmbeddingsConfiguration): Promise<null> {
  const { openTrial } = await import('../compose/open-recollect.js');
  const trial = await openTrial({ embeddings, passageVectors: true }).catch(rejectModel);
  await trial.close();
  return null;
}

function compareWith(model: string, embeddings: EmbeddingsConfiguration, json: boolean): Promise<Comparison | null> {
  const configuration = readConfiguration();
  if (isInUse(embeddings, configuration)) throw new InvalidOptionError(`${model} is in use already.`);
  return compare(configuration, embeddings, json);
}

function findsLess({ present: { result: present }, other: { result: other } }: Comparison): boolean {
  const inTen = ({ kinds }: ModelTrial['result']) => kinds.reduce((sum, kind) => sum + kind.inTen, 0);
  return Math.max(present.first - other.first, inTen(present) - inTen(other)) > CHANCE * present.queries;
}
