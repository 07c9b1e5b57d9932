import { type Operation, type OperationId, operations, Problem, type ProblemCode, problems } from '@recollect/contract';
import type { TSchema } from 'typebox';
import { problemsByStatus } from './problem.js';

const RETRY_AFTER = { 'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 1 }) };
const CHALLENGE = { 'WWW-Authenticate': header('Bearer, with an error if the key is invalid.', { type: 'string' }) };

/**
 * The interface under a base path as an OpenAPI 3.1 document, generated from the table of the routes (SYS-2). It leaves
 * out `omitted`.
 */
export function openApiDocument(
  version: string,
  { base = '', omitted = [] }: { base?: string; omitted?: readonly OperationId[] } = {},
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    if (omitted.some((other) => other === id)) continue;
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(id, operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Recollect',
      version,
      description: 'A memory that its user owns.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base || '/' }],
    paths,
    components: {
      schemas: { Problem },
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function describeOperation(id: string, operation: Operation): Record<string, unknown> {
  return {
    operationId: id,
    summary: operation.summary,
    // The empty requirement: on the user's own machine no key is needed.
    security: operation.scope === 'public' ? [] : [{}, { apiKey: [] }],
    ...(operation.scope === 'public' ? {} : { 'x-scope': operation.scope }),
    parameters: [
      ...parametersIn('path', operation.parameters),
      ...parametersIn('query', operation.query),
      ...Object.entries(operation.headers ?? {}).map(([name, description]) => ({
        name,
        in: 'header',
        required: false,
        description,
        schema: { type: 'string' },
      })),
    ],
    ...(operation.body === undefined
      ? {}
      : { requestBody: { content: { 'application/json': { schema: operation.body } } } }),
    ...(operation.consumes === undefined
      ? {}
      : { requestBody: { required: true, content: contentOf(operation.consumes) } }),
    responses: { ...successes(operation), ...failures(operation) },
  };
}

function contentOf(types: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));
}

function parametersIn(place: 'path' | 'query', schema: TSchema | undefined): Record<string, unknown>[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function successes(operation: Operation): Record<string, unknown> {
  const type = operation.produces ?? 'application/json';
  const headers = Object.entries(operation.responseHeaders ?? {}).map(([name, description]) => [
    name,
    header(description, { type: 'string' }),
  ]);
  return Object.fromEntries(
    Object.entries(operation.answers)
      .filter(([status]) => Number(status) < 400)
      .map(([status, schema]) => [
        status,
        {
          description: 'Success',
          ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
          ...(schema === null
            ? {}
            : { content: { [type]: { schema: withPart(schema, operation.withoutRead?.[Number(status)]) } } }),
        },
      ]),
  );
}

function failures(operation: Operation): Record<string, unknown> {
  return Object.fromEntries(
    [...problemsByStatus(operation)].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${code}: ${problems[code].title}`).join('; '),
        ...(status === 429 ? { headers: RETRY_AFTER } : {}),
        ...(status === 401 ? { headers: CHALLENGE } : {}),
        content: {
          'application/problem+json': { schema: problemWith(codes) },
          // MCP has its own errors besides.
          ...(operation.answers[status] ? { 'application/json': { schema: operation.answers[status] } } : {}),
        },
      },
    ]),
  );
}

/** An answer, or the part of it that a key without `memory:read` gets. */
function withPart(schema: TSchema, part: TSchema | undefined): TSchema {
  return part === undefined ? schema : { anyOf: [schema, part] };
}

/** A problem document with one of these codes. */
function problemWith(codes: readonly ProblemCode[]): Record<string, unknown> {
  const narrowed = { type: 'object', properties: { code: { enum: codes } } };
  return { allOf: [{ $ref: '#/components/schemas/Problem' }, narrowed] };
}

function header(description: string, schema: Record<string, unknown>): Record<string, unknown> {
  return { description, schema };
}
