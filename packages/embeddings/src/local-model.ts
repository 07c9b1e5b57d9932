import { availableParallelism } from 'node:os';
import type { EmbeddingModel, EmbedOptions, LateInteraction } from '@recollect/core';
import { checkVectors } from './check-vectors.js';
import type { Embedded, ModelThreadOptions, TextToEmbed } from './model-messages.js';
import type { ModelRecipe } from './model-recipe.js';
import { ModelLoadError, type ModelSession, openSession } from './model-session.js';
import { silenceTelemetry } from './silence-telemetry.js';
import { createTokenCounter } from './tokenizer/token-counter.js';

export interface LocalModelOptions {
  /** Changes whenever the model's vectors change. */
  id: string;
  /** A folder as transformers.js reads it: config.json, tokenizer.json, onnx/model_quantized.onnx. */
  folder: string;
  recipe: ModelRecipe;
  /** Maximum of extra sessions for a backlog; by default as many as processors, 4 at most. */
  sessions?: number | undefined;
  /** Whether it gives token vectors, if its recipe has a weight for them; by default it does. */
  givesTokens?: boolean | undefined;
  /**
   * Milliseconds without a text after which the model's memory is freed, until the next text loads it again. By
   * default, never.
   */
  releasedAfter?: number | undefined;
  /** The script of a session's thread. */
  program?: URL | undefined;
}

export interface LocalModel extends EmbeddingModel {
  /** Loads the model ahead of its next text, unless it is loaded. Throws if it cannot be loaded. */
  warmUp(): Promise<void>;
}

/** Each session takes 100 MB. */
const MAX_SESSIONS = 4;
/**
 * Milliseconds that a document waits before another session is opened, and that such a session stays without a text.
 */
const BACKLOG_MS = { patience: 1_000, idle: 30_000 };

/** The queues of waiting texts, in order of priority. */
const LINES = ['query', 'document', 'backlog'] as const;
type Line = (typeof LINES)[number];

type EmbeddingSession = ModelSession<TextToEmbed, Embedded>;

interface Waiting {
  text: string;
  purpose: EmbedOptions['purpose'];
  since: number;
  resolve(embedded: Embedded): void;
  reject(error: Error): void;
}

/**
 * Opens a model in worker threads, so that it never blocks the event loop. A session computes one text at a time, with
 * one thread: batches were not faster, two sessions of one thread embedded 1.4 times as many texts as one of two
 * threads (docs/performance.md), and a text's vector depends only on the text. There is one session until a backlog has
 * waited for a second. It then gets separate sessions, on Linux with a lower priority. Queries go before documents, and
 * both before a backlog. A thread that dies is replaced, and its text is retried once. The caller must close the model.
 *
 * @example
 * const model = openLocalModel(minilm);
 * const [vector] = await model.embed(['how hot for tea'], { purpose: 'query' });
 * await model.close();
 */
export function openLocalModel({
  id,
  folder,
  recipe,
  sessions: most = Math.min(MAX_SESSIONS, availableParallelism()),
  givesTokens = true,
  releasedAfter,
  program = new URL('./model-thread.js', import.meta.url),
}: LocalModelOptions): LocalModel {
  const queue: Record<Line, Waiting[]> = { query: [], document: [], backlog: [] };
  const { maxTokens, prefixes, pooling, isNormalised, lateWeight } = recipe;
  const isLate = givesTokens && lateWeight > 0;
  const open = (isBackground: boolean) => {
    const vectors = { maxTokens, prefixes, pooling, isNormalised };
    const options: ModelThreadOptions = { folder, recipe: vectors, givesTokens: isLate, isBackground };
    return openSession<TextToEmbed, Embedded>(program, options);
  };
  const first = open(false);
  /** The sessions for a backlog. The first session then leaves it to them, so that nothing else waits for it. */
  let others: EmbeddingSession[] = [];
  let closed = false;
  let release: NodeJS.Timeout | undefined;
  let dismissal: NodeJS.Timeout | undefined;

  silenceTelemetry();

  const takeAll = () => LINES.flatMap((line) => queue[line].splice(0));

  /** A session that can take a text of a line now. One more is opened for a backlog that has waited for long. */
  const findSession = (line: Line): EmbeddingSession | undefined => {
    const sessions = line === 'backlog' && others.length > 0 ? others : [first];
    const idle = sessions.find(({ isBusy }) => !isBusy);
    const [oldest] = queue.backlog;
    const isLate = oldest !== undefined && performance.now() - oldest.since > BACKLOG_MS.patience;
    if (idle !== undefined || line !== 'backlog' || !isLate || others.length >= most) return idle;
    const opened = open(true);
    others.push(opened);
    return opened;
  };

  const run = (session: EmbeddingSession, { text, purpose, resolve, reject }: Waiting) => {
    session
      .compute({ text, purpose })
      .then(resolve, (error: Error) => {
        reject(error);
        // All waiting texts fail with the reason, and a later text tries again.
        if (error instanceof ModelLoadError) for (const waiting of takeAll()) waiting.reject(error);
      })
      .finally(() => {
        // Queries must not keep the sessions of a backlog alive.
        if (session !== first) {
          clearTimeout(dismissal);
          if (!closed) dismissal = setTimeout(dismiss, BACKLOG_MS.idle).unref();
        }
        next();
      });
  };

  const next = () => {
    for (const line of LINES) {
      for (;;) {
        const session = queue[line].length === 0 ? undefined : findSession(line);
        const waiting = session && queue[line].shift();
        if (session === undefined || waiting === undefined) break;
        run(session, waiting);
      }
    }
    clearTimeout(release);
    if (closed) return;
    if (releasedAfter !== undefined) release = setTimeout(() => void endIdle(first), releasedAfter).unref();
  };

  const endIdle = async (session: EmbeddingSession) => {
    if (!session.isBusy) await session.end();
  };

  const dismiss = () => {
    const idle = others.filter(({ isBusy }) => !isBusy);
    others = others.filter(({ isBusy }) => isBusy);
    for (const session of idle) void session.end();
  };

  const embedOne = (text: string, { purpose, signal, isBacklog = false }: EmbedOptions) =>
    new Promise<Embedded>((resolve, reject) => {
      if (closed) return reject(new Error('The embedding model is closed.'));
      if (signal?.aborted) return reject(signal.reason);
      const line = queue[isBacklog ? 'backlog' : purpose];
      const onAbort = () => {
        const at = line.indexOf(waiting);
        if (at >= 0) line.splice(at, 1);
        waiting.reject(signal?.reason);
      };
      // The signal may live much longer than the text, so its listener is removed with the text.
      const settled = () => signal?.removeEventListener('abort', onAbort);
      const waiting: Waiting = {
        text,
        purpose,
        since: performance.now(),
        resolve(embedded) {
          settled();
          resolve(embedded);
        },
        reject(error) {
          settled();
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort);
      line.push(waiting);
      next();
    });

  const late: LateInteraction = {
    weight: lateWeight,
    async embedQuery(text, options = {}) {
      const embedded = await embedOne(text, { ...options, purpose: 'query' });
      const [vector] = checkVectors([embedded.vector], 1, null);
      return { vector: vector ?? embedded.vector, tokens: embedded.tokens };
    },
    async embedPassages(texts, options = {}) {
      const embedded = await Promise.all(texts.map((text) => embedOne(text, { ...options, purpose: 'document' })));
      const vectors = checkVectors(vectorsOf(embedded), texts.length, null);
      return embedded.map(({ vector, signs }, at) => ({ vector: vectors[at] ?? vector, signs }));
    },
  };

  return {
    id,
    profile: { ...recipe, countTokens: createTokenCounter(folder) },
    async embed(texts, options) {
      const embedded = await Promise.all(texts.map((text) => embedOne(text, options)));
      return checkVectors(vectorsOf(embedded), texts.length, null);
    },
    late: isLate ? late : undefined,
    async warmUp() {
      if (!first.isWarm) await embedOne('warm up', { purpose: 'query' });
    },
    async close() {
      closed = true;
      for (const waiting of takeAll()) waiting.reject(new Error('The embedding model is closed.'));
      clearTimeout(release);
      clearTimeout(dismissal);
      await Promise.all([first, ...others].map((session) => session.end()));
    },
  };
}

function vectorsOf(embedded: readonly Embedded[]): Float32Array[] {
  return embedded.map(({ vector }) => vector);
}
