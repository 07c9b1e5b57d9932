import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type RecollectError, TextRejectedError } from '@recollect/core';
import { type HttpModelOptions, openHttpModel } from '@recollect/embeddings';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

interface Request {
  input: string[];
  model: string;
  authorization: string | undefined;
  path: string | undefined;
}
type Answer = (request: Request, response: ServerResponse, count: number) => void;

let requests: Request[];
let answer: Answer;
let url: string;
let close: () => void;

const embeddings = (texts: readonly string[]) => ({
  data: texts.map((text, index) => ({ index, embedding: [text.length, 3, 4] })),
});
const good: Answer = ({ input }, response) => void response.end(JSON.stringify(embeddings(input)));

beforeEach(async () => {
  requests = [];
  answer = good;
  const server = createServer(async (message: IncomingMessage, response) => {
    const body = (await json(message)) as { input: string[]; model: string };
    const request = { ...body, authorization: message.headers.authorization, path: message.url };
    requests.push(request);
    answer(request, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => close());

const open = (options: Partial<HttpModelOptions> = {}) =>
  openHttpModel({ url, model: 'small', timeLimit: 60_000, ...options });
const documents = { purpose: 'document' as const };

describe('a model over HTTP', () => {
  test('SEC-12: follows no redirect, and reads no answer that is too long for its texts', async () => {
    const asked: string[] = [];
    answer = ({ path = '' }, response) => {
      asked.push(path);
      response.writeHead(307, { location: '/elsewhere/embeddings' }).end();
    };
    await expect(open({ retries: 1 }).embed(['a'], documents)).rejects.toThrow(
      'The embedding service redirects (status 307). Configure the address that it redirects to.',
    );
    expect(asked).toEqual(['/v1/embeddings']);
    let sent = 0;
    answer = (_request, response) => {
      const more = (): void => {
        for (; !response.destroyed && response.write(' '.repeat(65_536)); ) sent += 65_536;
      };
      response.on('drain', more).on('error', () => {});
      more();
    };
    await expect(open({ retries: 0 }).embed(['a'], documents)).rejects.toThrow(/more than \d+ bytes/);
    expect(sent).toBeLessThan(100_000_000);
  });

  test('sends OpenAI requests in batches, and returns vectors of length 1 in order', async () => {
    const texts = ['a', 'bbbb', 'cc'];
    const vectors = await open({ key: 'k', batch: 2 }).embed(texts, documents);
    expect(requests.map(({ input, model, authorization, path }) => [input, model, authorization, path])).toEqual([
      [['a', 'bbbb'], 'small', 'Bearer k', '/v1/embeddings'],
      [['cc'], 'small', 'Bearer k', '/v1/embeddings'],
    ]);
    expect(vectors.map((vector) => Math.hypot(...vector))).toEqual([
      expect.closeTo(1, 5),
      expect.closeTo(1, 5),
      expect.closeTo(1, 5),
    ]);
    expect(vectors[1]?.[0]).toBeCloseTo(4 / Math.hypot(4, 3, 4), 5);
  });

  test('accepts the URL of the endpoint itself, and responses in any order', async () => {
    answer = ({ input }, response) => void response.end(JSON.stringify({ data: embeddings(input).data.reverse() }));
    const [first] = await open({ url: `${url}/embeddings` }).embed(['a', 'bbbb'], documents);
    expect(requests[0]?.path).toBe('/v1/embeddings');
    expect(first?.[0]).toBeCloseTo(1 / Math.hypot(1, 3, 4), 5);
  });

  test('CAP-10: retries after a rate limit (429) and a server error (503)', async () => {
    answer = (request, response, count) => {
      if (count === 1) response.writeHead(429).end();
      else if (count === 2) response.writeHead(503).end('no');
      else good(request, response, count);
    };
    await expect(open().embed(['a'], documents)).resolves.toHaveLength(1);
    expect(requests.length).toBe(3);
  });

  test('CAP-10: fails with a reason, and does not retry when that would not help', async () => {
    answer = (_, response) => void response.writeHead(401).end();
    await expect(open().embed(['a'], documents)).rejects.toThrow('status 401');
    expect(requests.length).toBe(1);
    answer = (_, response) => void response.writeHead(500).end();
    await expect(open({ retries: 1 }).embed(['a'], documents)).rejects.toThrow('status 500');
    expect(requests.length).toBe(3);
    close();
    await expect(open({ retries: 0 }).embed(['a'], documents)).rejects.toThrow('could not be reached');
  });

  test('CAP-10: says whether a retry may help, and whether the text is at fault', async () => {
    const failing = async (status: number) => {
      answer = ({ input: [text] }, response) =>
        text === 'a' ? void response.writeHead(status).end() : good({ input: ['b'] } as Request, response, 1);
      return open({ retries: 0 })
        .embed(['a'], documents)
        .catch((error) => [error instanceof TextRejectedError, (error as RecollectError).isRetryable]);
    };
    for (const status of [400, 413, 422]) expect([status, await failing(status)]).toEqual([status, [true, false]]);
    for (const status of [401, 404]) expect([status, await failing(status)]).toEqual([status, [false, false]]);
    for (const status of [429, 500, 503]) expect([status, await failing(status)]).toEqual([status, [false, true]]);
    answer = (_, response) => void response.end(JSON.stringify({ data: [{ embedding: [0, 0, 0] }] }));
    await expect(open().embed(['a'], documents)).rejects.toBeInstanceOf(TextRejectedError);
  });

  test('CAP-10: a service that rejects every text is at fault, and says why', async () => {
    answer = (_, response) => void response.writeHead(400).end('{"error": "Invalid\nmodel"}');
    const error = await open()
      .embed(['a'], documents)
      .catch((thrown) => thrown);
    expect([error instanceof TextRejectedError, error.isRetryable]).toEqual([false, false]);
    expect(error.message).toBe('The embedding service returned status 400: {"error": "Invalid model"}');
  });

  test('sends a user and password of the URL in a header, unless there is a key', async () => {
    const named = new URL(url);
    named.username = 'ann';
    named.password = 'p@€ 100%';
    await open({ url: named.href }).embed(['a'], documents);
    await open({ url: named.href, key: 'k' }).embed(['a'], documents);
    expect(requests.map(({ authorization }) => authorization)).toEqual([
      `Basic ${Buffer.from('ann:p@€ 100%').toString('base64')}`,
      'Bearer k',
    ]);
  });

  test('QRY-4: times out when the service hangs, and does not retry a query', async () => {
    answer = () => {};
    await expect(open({ timeLimit: 300 }).embed(['a'], { purpose: 'query' })).rejects.toThrow('did not answer in time');
    // On a busy machine, the limit may come before the request.
    expect(requests.length).toBeLessThanOrEqual(1);
    await expect(
      open({ timeLimit: 60_000 }).embed(['a'], { purpose: 'query', signal: AbortSignal.timeout(50) }),
    ).rejects.toThrow('due to timeout');
  });

  test('rejects wrong dimensions, wrong counts, NaN and other invalid responses', async () => {
    const wrong: unknown[] = [
      { data: [] },
      { data: [{ embedding: [1, 2, 3] }, { embedding: [1, 2, 3] }, { embedding: [1, 2, 3] }] },
      {
        data: [
          { index: 0, embedding: [1, 2, 3] },
          { index: 0, embedding: [1, 2, 3] },
        ],
      },
      {
        data: [
          { index: 0, embedding: [1, 2, 3] },
          { index: 7, embedding: [1, 2, 3] },
        ],
      },
      { data: [{ embedding: [1, 2, 3] }, { embedding: [1, 2] }] },
      { data: [{ embedding: [1, 2, 3] }, { embedding: [1, null, 3] }] },
      { data: [{ embedding: [1, 2, 3] }, { embedding: [1, '2', 3] }] },
      {
        data: [
          { index: 1, embedding: [1, 2, 3] },
          { index: 'x', embedding: [1, 2, 3] },
        ],
      },
      { data: [{ index: 1, embedding: [1, 2, 3] }] },
      {
        data: [
          { index: 1, embedding: [1, 2, 3] },
          { index: 0.5, embedding: [1, 2, 3] },
        ],
      },
      { data: [{ embedding: [0, 0, 0] }, { embedding: [1, 2, 3] }] },
      { data: [{ embedding: [] }, { embedding: [] }] },
      { data: [{ embedding: 'AAAA' }, { embedding: 'AAAA' }] },
      { data: 'x' },
      null,
      'text',
    ];
    for (const body of wrong) {
      answer = (_, response) => void response.end(JSON.stringify(body));
      await expect(open({ retries: 0 }).embed(['a', 'b'], documents), JSON.stringify(body)).rejects.toMatchObject({
        code: 'EMBEDDING_FAILED',
      });
    }
    answer = (_, response) => void response.end('not json');
    await expect(open({ retries: 0 }).embed(['a'], documents)).rejects.toThrow('did not return JSON');
  });

  test('rejects a call that is cancelled with the reason of its signal', async () => {
    const ending = new AbortController();
    const reason = new Error('The client has gone.');
    answer = () => ending.abort(reason);
    await expect(open().embed(['a'], { ...documents, signal: ending.signal })).rejects.toBe(reason);
  });

  test('rejects a dimension that changes between calls', async () => {
    const model = open({ retries: 0 });
    await model.embed(['a'], documents);
    answer = (_, response) => void response.end(JSON.stringify({ data: [{ embedding: [1, 2, 3, 4] }] }));
    await expect(model.embed(['a'], documents)).rejects.toThrow('4 dimensions where 3 were expected');
  });
});
