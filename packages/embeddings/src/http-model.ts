import {
  type EmbeddingModel,
  type EmbedOptions,
  estimateTokens,
  RecollectError,
  TextRejectedError,
} from '@recollect/core';
import pRetry, { AbortError } from 'p-retry';
import { checkVectors, InvalidVectorError } from './check-vectors.js';

export interface HttpModelOptions {
  /**
   * Base URL of an OpenAI-compatible service, such as `http://127.0.0.1:11434/v1`, or the URL of its `/embeddings`. A
   * user and password in it are sent as such, unless there is a key.
   */
  url: string;
  model: string;
  key?: string | undefined;
  /**
   * Milliseconds that a call of one text may take. Each further text adds a quarter: a service may run on a slow
   * machine.
   */
  timeLimit?: number | undefined;
  /** Texts in one call. */
  batch?: number | undefined;
  /** Retries of a call for documents. A query is not retried, because its user is waiting. */
  retries?: number | undefined;
}

/** Tokens of one text that every service reads. Some read more, but their limit is unknown here. */
const MAX_TOKENS = 512;

/**
 * Opens a model behind an OpenAI-compatible `/embeddings`. Retries a call that times out, is rate-limited (429) or
 * fails in the service (5xx), with increasing delays. Rejects a response with a wrong count, a wrong dimension or
 * non-finite numbers. A call that is cancelled rejects with the reason of its signal.
 *
 * @example
 * const model = openHttpModel({ url: 'http://127.0.0.1:11434/v1', model: 'nomic-embed-text' });
 */
export function openHttpModel(options: HttpModelOptions): EmbeddingModel {
  const { url, model, key, timeLimit = 10_000, batch = 32, retries = 2 } = options;
  const { endpoint, authorization } = addressOf(url, key);
  /** Known from the first response on. */
  let dimensions: number | null = null;

  const call = async (texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    const limit = AbortSignal.timeout(Math.ceil(timeLimit * (1 + (texts.length - 1) / 4)));
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      // A redirect would send the texts to an address that no one configured.
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    if (response.status >= 300 && response.status < 400) throw redirected(response);
    if (!response.ok) {
      const reason = await reasonIn(response);
      if (!REJECTED.includes(response.status)) throw failure(response.status, reason);
      // One that has answered nothing yet may reject every text, such as one that does not have the model.
      if (texts === TRIAL) throw failure(response.status, reason);
      if (dimensions === null) await call(TRIAL, signal);
      throw new TextRejectedError(`The embedding service returned status ${response.status}.`);
    }
    const vectors = checkVectors(await readAnswer(response, texts.length), texts.length, dimensions);
    dimensions ??= vectors[0]?.length ?? null;
    return vectors;
  };

  return {
    id: `${model}@${new URL(endpoint).host}`,
    profile: {
      get dimensions() {
        return dimensions;
      },
      maxTokens: MAX_TOKENS,
      countTokens: estimateTokens,
      // The service adds prefixes itself, if its model needs any.
      prefixes: { query: '', document: '' },
      pooling: null,
      isNormalised: false,
      scripts: null,
      similarityFloor: 0,
      fusionWeight: 0.45,
    },
    async embed(texts, { signal, purpose }: EmbedOptions) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batch) {
        const group = texts.slice(at, at + batch);
        try {
          const embedded = await pRetry(() => call(group, signal).catch(abortUnlessRetryable), {
            retries: purpose === 'query' ? 0 : retries,
            minTimeout: 250,
            randomize: true,
            signal,
          });
          vectors.push(...embedded);
        } catch (cause) {
          signal?.throwIfAborted();
          throw cause instanceof RecollectError
            ? cause
            : new RecollectError('EMBEDDING_FAILED', reasonOf(cause), { cause });
        }
      }
      return vectors;
    },
    async close() {},
  };
}

/** Statuses with which a service rejects the input, rather than the caller or the time. */
const REJECTED: readonly number[] = [400, 413, 422];

/** A text that every service reads. */
const TRIAL: readonly string[] = ['Tea'];

/** Maximum length of a service's message about a failure. */
const REASON = 200;

/** Bytes of an answer for each text: 8,192 numbers of 24 characters, and as much again. */
const ANSWER_BYTES = 400_000;

/** The text of an answer. Throws if it is longer than `most` bytes, and reads no further. */
async function readText(response: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > most) throw new Error(`The embedding service answered with more than ${most} bytes.`);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function redirected(response: Response): RecollectError {
  void response.body?.cancel().catch(() => {});
  const sentence = `The embedding service redirects (status ${response.status}). Configure the address that it redirects to.`;
  return new RecollectError('EMBEDDING_FAILED', sentence, { isRetryable: false });
}

/** The message of a service about a failure, on one line. */
async function reasonIn(response: Response): Promise<string> {
  const body = await readText(response, REASON * 4).catch(() => '');
  return body.slice(0, REASON).replace(/\s+/g, ' ').trim();
}

/** Leaves out a message that may repeat the text that was sent. */
function failure(status: number, reason: string): RecollectError {
  const isBroken = status === 429 || status >= 500;
  const why = isBroken || reason === '' ? '.' : `: ${reason}`;
  const sentence = `The embedding service returned status ${status}${why}`;
  return new RecollectError('EMBEDDING_FAILED', sentence, { isRetryable: isBroken });
}

function abortUnlessRetryable(error: unknown): never {
  if (error instanceof InvalidVectorError) throw new AbortError(new TextRejectedError(error.message, { cause: error }));
  throw error instanceof RecollectError && !error.isRetryable ? new AbortError(error) : error;
}

/** A part of an address, in which a percent sign may also be one. */
function decoded(part: string): string {
  return part.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** Where to send texts, and how to prove who sends them. A request is not made from a URL with a password. */
function addressOf(url: string, key: string | undefined): { endpoint: string; authorization: string | null } {
  const endpoint = new URL(url);
  const [user, password] = [endpoint.username, endpoint.password].map(decoded);
  endpoint.username = '';
  endpoint.password = '';
  const basic =
    user === '' && password === '' ? null : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  if (!endpoint.pathname.endsWith('/embeddings'))
    endpoint.pathname = `${endpoint.pathname.replace(/(?<!\/)\/+$/, '')}/embeddings`;
  return { endpoint: endpoint.href, authorization: key === undefined ? basic : `Bearer ${key}` };
}

/** The vectors of a response, in the order of the texts. */
async function readAnswer(response: Response, count: number): Promise<unknown[]> {
  const answer = JSON.parse(await readText(response, count * ANSWER_BYTES)) as { data?: unknown };
  if (!Array.isArray(answer?.data)) throw new Error('The embedding service returned no list of embeddings.');
  if (answer.data.length !== count)
    throw new Error(`The embedding service returned ${answer.data.length} embeddings for ${count} texts.`);
  const vectors = new Map<unknown, unknown>();
  for (const [position, item] of answer.data.entries()) {
    const { index, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    vectors.set(index ?? position, embedding);
  }
  return Array.from({ length: count }, (_, index) => {
    if (!vectors.has(index)) throw new Error(`The embedding service returned no embedding for text ${index + 1}.`);
    return vectors.get(index);
  });
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'The embedding service could not be used.';
  if (cause.name === 'TimeoutError') return 'The embedding service did not answer in time.';
  if (cause instanceof SyntaxError) return 'The embedding service did not return JSON.';
  // fetch reports a refused connection as a TypeError with a cause.
  return cause instanceof TypeError && cause.cause !== undefined
    ? 'The embedding service could not be reached.'
    : cause.message;
}
