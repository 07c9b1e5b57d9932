import { validate } from '@recollect/contract';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../start-test-server.js';
import { arbitraryOf, nearly, type Schema } from './arbitrary-of.js';

/** Requests an operation, of each kind. */
const RUNS = 60;

interface Described {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: TSchema }> }>;
}

let server: TestServer;
let operations: { method: string; path: string; described: Described }[];

beforeAll(async () => {
  server = await startTestServer();
  const { body: document } = await server.send('GET', '/openapi.json');
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node) return document.components.schemas[String(node.$ref).split('/').at(-1) ?? ''];
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]));
  };
  operations = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      described: resolve(described) as Described,
    })),
  );
});
afterAll(() => server.close());

/** Sends what `make` makes of each schema to every operation; each answer must be one that the document tells of. */
async function fuzz(make: (schema: Schema) => fc.Arbitrary<unknown>, mayRefuse: boolean): Promise<void> {
  for (const { method, path, described } of operations) {
    const fields = (place: string) =>
      fc.record(
        Object.fromEntries(
          described.parameters
            .filter((parameter) => parameter.in === place)
            .map(({ name, schema }) => [name, make(schema)]),
        ),
        place === 'path' ? {} : { requiredKeys: [] },
      );
    const schema = Object.values(described.requestBody?.content ?? {})[0]?.schema;
    const body = schema === undefined ? fc.constant(undefined) : make(schema);
    await fc.assert(
      fc.asyncProperty(fields('path'), fields('query'), body, async (parameters, query, sent) => {
        const filled = path.replace(
          /\{(\w+)\}/g,
          (_, name: string) => encodeURIComponent(asText(parameters[name])) || '%20',
        );
        const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, asText(value)]));
        const answer = await server.send(
          method,
          `${filled}?${search}`,
          sent === undefined ? undefined : JSON.stringify(sent),
        );
        check(described, answer, mayRefuse);
      }),
      { numRuns: RUNS },
    );
  }
}

function check(
  { operationId, responses }: Described,
  answer: { status: number; headers: Headers; body: unknown },
  mayRefuse: boolean,
): void {
  const { status, headers, body } = answer;
  const told = responses[String(status)];
  expect([operationId, status, told !== undefined]).toEqual([operationId, status, true]);
  expect([operationId, status < 500]).toEqual([operationId, true]);
  // What fits its schema is refused for reasons beyond the schema alone: nothing in it, or nothing there.
  if (!mayRefuse && status === 400)
    expect(body).toMatchObject({
      code: expect.stringMatching(/_EMPTY$|VALIDATION_FAILED|JSON_MALFORMED|EXTRACTION_FAILED/),
    });
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const content = told?.content;
  expect([operationId, status, type]).toEqual([
    operationId,
    status,
    content === undefined ? '' : expect.toBeOneOf(Object.keys(content)),
  ]);
  if (content?.[type] !== undefined) {
    expect([operationId, status, validate(content[type].schema, body)]).toEqual([operationId, status, []]);
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : String(JSON.stringify(value));
}

test(
  'SYS-2, SYS-3: what fits the document gets an answer that the document tells of',
  () => fuzz(arbitraryOf, false),
  120_000,
);

test('SYS-2, SYS-3, SEC-11: what does not fit it does too', () => fuzz(nearly, true), 120_000);
