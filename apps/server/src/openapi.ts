import { type Operation, operations, Problem, type ProblemCode, problems } from '@recollect/contract';
import type { TSchema } from 'typebox';

/** Problems that the gate and the router can give to any request with an identity. */
const ANYWHERE: readonly ProblemCode[] = [
  'HOST_INVALID',
  'HOST_NOT_ALLOWED',
  'ORIGIN_NOT_ALLOWED',
  'API_KEY_INVALID',
  'INTERNAL',
  'UNAVAILABLE',
];
const WITH_BODY: readonly ProblemCode[] = ['JSON_MALFORMED', 'MEDIA_TYPE_UNSUPPORTED', 'PAYLOAD_TOO_LARGE'];

/** The interface as an OpenAPI 3.1 document, made from the table that the routes are made from (SYS-2). */
export function openApiDocument(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(id, operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Recollect',
      version,
      description: 'A memory that its user owns.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      schemas: { Problem },
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function describe(id: string, operation: Operation): Record<string, unknown> {
  return {
    operationId: id,
    summary: operation.summary,
    // The empty requirement: on the own machine no key is needed.
    security: operation.scope === 'public' ? [] : [{}, { apiKey: [] }],
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
    responses: { ...successes(operation), ...failures(operation) },
  };
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
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, schema]) => [
      status,
      { description: 'Success', ...(schema === null ? {} : { content: { 'application/json': { schema } } }) },
    ]),
  );
}

function failures(operation: Operation): Record<string, unknown> {
  const writes = operation.method === 'GET' ? [] : WITH_BODY;
  const identified: readonly ProblemCode[] = operation.scope === 'public' ? [] : ['AUTHENTICATION_REQUIRED'];
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...operation.problems, ...writes, ...identified, ...ANYWHERE])) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${code}: ${problems[code].title}`).join('; '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}
