import { getEventListeners } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalModel, openLocalModel, readModelFolder } from '@recollect/embeddings';
import { scorePassages } from '@recollect/in-memory-index';
import { minilm } from '@recollect/models/minilm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let model: LocalModel;
beforeAll(() => {
  model = openLocalModel(minilm);
});
afterAll(() => model.close());

const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, component, at) => sum + component * (b[at] ?? 0), 0);

describe('the local model', () => {
  test('QRY-3: texts with similar meaning are close even if they share no word', async () => {
    const [question, answer, other] = await model.embed(
      ['How hot should the water be?', 'Green tea is steeped well below boiling.', 'The parliament passed a budget.'],
      { purpose: 'document' },
    );
    if (!question || !answer || !other) throw new Error('An embedding is missing.');
    expect(question.length).toBe(384);
    expect(Math.hypot(...question)).toBeCloseTo(1, 5);
    expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.2);
  });

  test('gives the same text the same vector in any batch', async () => {
    const alone = await model.embed(['one text'], { purpose: 'query' });
    const among = await model.embed(['a', 'one text', 'a longer text of several words than the others'], {
      purpose: 'document',
    });
    expect(among[1]).toEqual(alone[0]);
  });

  test('QRY-3: gives the vectors of the words that say something, in their contexts, beside the same embedding', async () => {
    const { late } = model;
    if (late === undefined) throw new Error('The model gives no token vectors.');
    const query = await late.embedQuery('What is a green tea?');
    expect(query.vector).toEqual((await model.embed(['What is a green tea?'], { purpose: 'query' }))[0]);
    // "green" and "tea", but no stop words and no question mark.
    expect(query.tokens).toHaveLength(2 * 384);
    expect(Math.hypot(...query.tokens.subarray(0, 384))).toBeCloseTo(1, 5);
    const texts = ['Green tea is steeped. The tea is strained.', 'Of the, and by it.', '', '🦄 … !'];
    const passages = await late.embedPassages(texts);
    expect(passages.map(({ vector }) => vector)).toEqual(await model.embed(texts, { purpose: 'document' }));
    // Equal pieces are one: green, tea, steep, ##ed, strained. Where all pieces are stop words, all are kept.
    const counts = passages.map(({ signs }) => signs.length / 48);
    expect(counts.slice(0, 3)).toEqual([5, 7, 0]);
    const compared = await late.embedPassages(['We steeped green tea.', 'The parliament passed a budget.']);
    const [tea, other] = scorePassages(
      query.tokens,
      384,
      compared.map(({ signs }) => signs),
    );
    expect(tea).toBeGreaterThan((other ?? 1) + 0.2);
  });

  test('gives no token vectors where they are not wanted', async () => {
    const without = openLocalModel({ ...minilm, givesTokens: false });
    expect(without.late).toBeUndefined();
    expect(await without.embed(['green tea'], { purpose: 'query' })).toEqual(
      await model.embed(['green tea'], { purpose: 'query' }),
    );
    await without.close();
  });

  test('embeds long texts, empty texts and unusual characters', async () => {
    const vectors = await model.embed(['word '.repeat(5_000), '', '\u0000\u202e𝄞'], { purpose: 'document' });
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  test('embeds a query before waiting documents', async () => {
    const order: string[] = [];
    const documents = model.embed(
      Array.from({ length: 30 }, (_, at) => `document ${at} `.repeat(40)),
      { purpose: 'document' },
    );
    const query = model.embed(['query'], { purpose: 'query' });
    await Promise.all([documents.then(() => order.push('documents')), query.then(() => order.push('query'))]);
    expect(order).toEqual(['query', 'documents']);
  });

  test('leaves no listener on a signal that outlives its texts', async () => {
    const { signal } = new AbortController();
    const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`);
    await model.embed(texts, { purpose: 'document', signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const stop = new AbortController();
    const stopped = model.embed(texts, { purpose: 'document', signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
    expect(getEventListeners(stop.signal, 'abort').length).toBeLessThanOrEqual(1);
  });

  test('does not embed texts that were cancelled', async () => {
    const stop = new AbortController();
    const many = model.embed(
      Array.from({ length: 200 }, (_, at) => `text ${at} `.repeat(50)),
      { purpose: 'document', signal: stop.signal },
    );
    stop.abort(new Error('enough'));
    await expect(many).rejects.toThrow('enough');
    await expect(model.embed(['next'], { purpose: 'query' })).resolves.toHaveLength(1);
  });

  test('is released after a pause, and loaded again for the next text', async () => {
    const threads = () =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort' || resource === 'Worker').length;
    const before = threads();
    const paused = openLocalModel({ ...minilm, releasedAfter: 50 });
    const [first] = await paused.embed(['one text'], { purpose: 'query' });
    for (let tries = 0; threads() > before; tries++) {
      expect(tries).toBeLessThan(1_200);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await paused.embed(['one text'], { purpose: 'query' }))[0]).toEqual(first);
    await paused.close();
  });

  test('does not block the event loop while the model works', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await model.embed(
      Array.from({ length: 20 }, (_, at) => `text ${at} `.repeat(100)),
      { purpose: 'document' },
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
  });

  test('closing while a text is embedded ends the thread after that text', async () => {
    const closing = openLocalModel(minilm);
    const embedded = closing.embed(
      Array.from({ length: 40 }, (_, at) => `text ${at} `.repeat(100)),
      { purpose: 'document' },
    );
    const outcome = embedded.catch((error: Error) => error.message);
    await closing.warmUp();
    await closing.close();
    expect(await outcome).toContain('closed');
    await expect(closing.embed(['late'], { purpose: 'query' })).rejects.toThrow('closed');
  });
});

describe('a backlog', () => {
  test('opens separate sessions as soon as a text has waited for a second, and everything else comes first', async () => {
    const program = new URL('./fixtures/slow-thread.mjs', import.meta.url);
    const slow = openLocalModel({ ...minilm, program, sessions: 2 });
    const order: string[] = [];
    const threadOf = (vector: Float32Array) => ((vector[0] ?? 0) / (vector[1] ?? 1)).toFixed();
    const threads: string[] = [];
    const began = performance.now();
    /** Milliseconds until another session than the first gave an answer. */
    let other = Number.POSITIVE_INFINITY;
    const documents = Array.from({ length: 60 }, (_, at) =>
      slow.embed([`text ${at}`], { purpose: 'document', isBacklog: true }).then(([vector = new Float32Array(2)]) => {
        threads.push(threadOf(vector));
        if (threads.at(-1) !== threads[0]) other = Math.min(other, performance.now() - began);
        order.push('document');
      }),
    );
    await documents[14];
    const capture = slow.embed(['captured'], { purpose: 'document' }).then(() => order.push('capture'));
    const query = slow.embed(['query'], { purpose: 'query' }).then(() => order.push('query'));
    await Promise.all([...documents, capture, query]);
    expect(new Set(threads).size).toBe(3);
    expect(other).toBeGreaterThan(1_000);
    expect(order.indexOf('query')).toBeLessThan(25);
    expect(order.indexOf('capture')).toBeLessThan(25);
    await slow.close();
  });
});

describe('a thread that dies', () => {
  const open = () => openLocalModel({ ...minilm, program: new URL('./fixtures/crashing-thread.mjs', import.meta.url) });

  test('is replaced, and its text is retried once', async () => {
    const crashing = open();
    // The thread dies at its second text.
    const vectors = await crashing.embed(['one', 'two', 'three', 'four'], { purpose: 'document' });
    expect(vectors.map((vector) => vector[0])).toEqual(
      ['one', 'two', 'three', 'four'].map(({ length }) => expect.closeTo(length / Math.hypot(length, 1), 5)),
    );
    await crashing.close();
  });

  test('a text that crashes every thread fails, and the next texts are embedded', async () => {
    const crashing = open();
    const [deadly, next] = await Promise.allSettled([
      crashing.embed(['deadly'], { purpose: 'document' }),
      crashing.embed(['next'], { purpose: 'document' }),
    ]);
    expect(deadly).toMatchObject({ status: 'rejected', reason: { message: 'The model crashed.' } });
    expect(next.status).toBe('fulfilled');
    await crashing.close();
  });
});

describe('model folders', () => {
  test('RECOLLECT_MODEL: a folder gives the same vectors under its own id', async () => {
    const read = await readModelFolder(minilm.folder);
    expect(read.id).toMatch(/^minilm@[0-9a-f]{12}$/);
    // The folder says nothing of its token vectors.
    expect(read.recipe).toEqual({ ...minilm.recipe, scripts: null, lateWeight: 0 });
    const other = openLocalModel(read);
    expect(await other.embed(['text'], { purpose: 'query' })).toEqual(
      await model.embed(['text'], { purpose: 'query' }),
    );
    await other.close();
  });

  test('RECOLLECT_MODEL: reports what is missing in a folder without a model', async () => {
    await expect(readModelFolder(join(minilm.folder, 'onnx'))).rejects.toThrow('config.json');
  });

  test('RECOLLECT_MODEL: the id changes with everything that changes vectors, but not with measured figures', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-model-'));
    await cp(minilm.folder, folder, { recursive: true });
    const idWith = async (file: string, change: (value: Record<string, unknown>) => object) => {
      const path = join(folder, file);
      const before = await readFile(path, 'utf8').catch(() => null);
      await writeFile(path, JSON.stringify(change(JSON.parse(before ?? '{}'))));
      const { id } = await readModelFolder(folder);
      await (before === null ? rm(path) : writeFile(path, before));
      return id;
    };
    const { id } = await readModelFolder(folder);
    const changed = [
      await idWith('tokenizer.json', (tokenizer) => ({ ...tokenizer, version: '1.1' })),
      await idWith('tokenizer_config.json', (config) => ({ ...config, model_max_length: 128 })),
      await idWith('config.json', (config) => ({ ...config, hidden_act: 'relu' })),
      await idWith('profile.json', () => ({ prefixes: { query: 'query: ', document: 'passage: ' } })),
      await idWith('profile.json', () => ({ pooling: 'cls' })),
      await idWith('profile.json', () => ({ isNormalised: false })),
    ];
    expect(new Set([id, ...changed]).size).toBe(changed.length + 1);
    expect(await idWith('profile.json', () => ({ fusionWeight: 0.5, similarityFloor: 0.7 }))).toBe(id);
    await rm(folder, { recursive: true });
  });

  test('RECOLLECT_MODEL: reports what is wrong in profile.json', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-model-'));
    await cp(minilm.folder, folder, { recursive: true });
    const wrong: [string, string][] = [
      ['{"fusionWeight": 2}', 'fusionWeight in profile.json of the model folder must be a number from 0 to 1.'],
      ['{"pooling": "max"}', 'pooling in profile.json of the model folder must be mean or cls.'],
      ['{"prefixes": {"query": 1}}', 'prefixes.query in profile.json of the model folder must be a string.'],
      [
        '{"prefixes": "query: "}',
        'prefixes in profile.json of the model folder must be an object with query and document.',
      ],
      ['{"isNormalised": "no"}', 'isNormalised in profile.json of the model folder must be true or false.'],
      [
        '{"prefix": {}}',
        'profile.json in the model folder has an unknown field prefix. It may have prefixes, pooling,',
      ],
      ['[]', 'profile.json in the model folder is not a JSON object.'],
      ['{', 'profile.json in the model folder is not a JSON object.'],
    ];
    for (const [text, sentence] of wrong) {
      await writeFile(join(folder, 'profile.json'), text);
      await expect(readModelFolder(folder)).rejects.toThrow(sentence);
    }
    await rm(folder, { recursive: true });
  });

  test('passes the prefix of the purpose to the model', async () => {
    const prefixes = { query: 'query: ', document: 'passage: ' };
    const prefixed = openLocalModel({ ...minilm, recipe: { ...minilm.recipe, prefixes } });
    const expected = await model.embed(['query: tea', 'passage: tea'], { purpose: 'document' });
    expect(await prefixed.embed(['tea'], { purpose: 'query' })).toEqual([expected[0]]);
    expect(await prefixed.embed(['tea'], { purpose: 'document' })).toEqual([expected[1]]);
    await prefixed.close();
  });

  test('a model that does not load fails its texts with the reason, and is loaded again for later texts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-model-'));
    await cp(minilm.folder, folder, { recursive: true });
    await writeFile(join(folder, 'onnx', 'model_quantized.onnx'), 'no model');
    const broken = openLocalModel({ ...minilm, id: 'broken', folder });
    await expect(broken.embed(['a', 'b'], { purpose: 'document' })).rejects.toThrow();
    await cp(join(minilm.folder, 'onnx'), join(folder, 'onnx'), { recursive: true });
    await expect(broken.embed(['a'], { purpose: 'document' })).resolves.toHaveLength(1);
    await broken.close();
    await rm(folder, { recursive: true });
  });
});
