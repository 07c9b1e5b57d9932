import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type BodyOf,
  type FieldError,
  type Operation,
  type OperationId,
  operations,
  type ParametersOf,
  type QueryOf,
  type ResponseOf,
  type ScopeOf,
  validate,
} from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, RawServerDefault } from 'fastify';
import type { TSchema } from 'typebox';
import type { RequestContext } from './gate/gate.js';
import type { Identity } from './gate/identify.js';
import { rejectUnknownParameters, unknownFields } from './unknown-fields.js';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Input of a handler. It contains the identity that the gate found, and only the headers of the operation. */
export interface HandlerInput<Id extends OperationId> {
  /** Null if the operation is public and the request has no identity. */
  identity: ScopeOf<Id> extends 'public' ? Identity | null : Identity;
  admission: RequestContext;
  body: BodyOf<Id>;
  query: QueryOf<Id>;
  parameters: ParametersOf<Id>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  reply: FastifyReply;
  /** Aborts when the client goes away before it has the answer. */
  signal: AbortSignal;
}

/**
 * The result of a handler instead of the body: a stream if the operation produces one, the reply if that sends a file.
 */
type Sent<Id extends OperationId> = (typeof operations)[Id] extends { produces: infer Type }
  ? Type extends 'application/x-ndjson' | 'text/event-stream'
    ? Readable
    : Type extends '*/*'
      ? FastifyReply
      : never
  : never;

export type Handler<Id extends OperationId> = (call: HandlerInput<Id>) => Promise<ResponseOf<Id> | Sent<Id>>;

/** Types that are not text, or that are UTF-8 by definition. */
const TYPES_WITHOUT_CHARSET: readonly string[] = [
  'application/zip',
  'application/x-ndjson',
  'text/event-stream',
  'application/manifest+json',
];

/**
 * Registers the route of an operation. The handler gets input that matches the operation's schemas. The response has
 * the operation's first status unless the handler sets another.
 */
export function bindOperation<Id extends OperationId>(app: App, id: Id, handler: Handler<Id>): void {
  const operation: Operation = operations[id];
  const { parameters, query, body, headers = {}, produces = 'application/json' } = operation;
  const [status = '200'] = Object.keys(operation.answers);
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation, operationId: id },
    schema: {
      ...(parameters === undefined ? {} : { params: parameters }),
      ...(query === undefined ? {} : { querystring: query }),
      ...(body === undefined ? {} : { body }),
    },
    validatorCompiler: ({ schema, httpPart }) => {
      return (input: unknown) => {
        const isQuery = httpPart === 'querystring';
        const value = isQuery ? convertValues(schema as TSchema, input) : (input ?? null);
        const shape = httpPart === 'body' ? operation.bodyShape?.(value) : undefined;
        const errors = validate(shape ?? (schema as TSchema), value);
        return errors.length === 0 ? { value } : { error: toValidationError(errors) };
      };
    },
    preValidation: async (request) => {
      if (operation.path.startsWith('/api/v1/')) rejectUnknownParameters(query, request.query as object);
    },
    handler: async (request, reply) => {
      const { admission } = request;
      if (admission === null) throw new Error('The request did not pass the gate.');
      const needed = operation.scopeFor?.(request.body) ?? null;
      if (needed !== null) admission.requireScope(needed);
      reply.code(Number(status));
      const answer = await handler({
        identity: admission.identity as HandlerInput<Id>['identity'],
        admission,
        body: request.body as BodyOf<Id>,
        query: request.query as QueryOf<Id>,
        parameters: request.params as ParametersOf<Id>,
        headers: Object.fromEntries(Object.keys(headers).map((name) => [name, request.headers[name]])),
        reply,
        signal: whileConnected(reply),
      });
      // A file is on its way, with the type of its name.
      if (produces === '*/*') return reply;
      const type = TYPES_WITHOUT_CHARSET.includes(produces) ? produces : `${produces}; charset=utf-8`;
      if (answer === undefined) return reply.send();
      // An answer of JSON-RPC has no other members than its own.
      const hasWarnings = body !== undefined && id !== 'mcp';
      const warnings = hasWarnings ? unknownFields(operation.bodyShape?.(request.body) ?? body, request.body) : [];
      const part = mayRead(admission.identity) ? undefined : operation.withoutRead?.[reply.statusCode];
      const shown = part === undefined ? answer : pickFields(part as Shape, answer);
      return reply.type(type).send(warnings.length === 0 ? shown : withWarnings(shown as object, warnings));
    },
  });
}

/** SEC-8: whether an identity may see what is stored. */
function mayRead(identity: Identity | null): boolean {
  return identity !== null && (identity.scopes.includes('memory:read') || identity.scopes.includes('admin'));
}

/** The parts of a schema that {@link pickFields} reads. */
interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

/** The fields of a value that a schema names. Of a union, the branch of an object counts. */
function pickFields(schema: Shape, value: unknown): unknown {
  const { properties, items = {} } = schema.anyOf?.find((branch) => branch.properties !== undefined) ?? schema;
  if (Array.isArray(value)) return value.map((item) => pickFields(items, item));
  if (typeof value !== 'object' || value === null || properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return shape === undefined ? [] : [[name, pickFields(shape, field)]];
    }),
  );
}

/** A signal that aborts when the connection closes before the response is written. */
function whileConnected({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (raw.writableFinished) return;
    gone.abort(new RecollectError('REQUEST_MALFORMED', 'The client closed the connection.'));
  });
  return gone.signal;
}

function withWarnings(answer: object, more: readonly string[]): object {
  const { warnings = [] } = answer as { warnings?: readonly string[] };
  return { ...answer, warnings: [...warnings, ...more] };
}

/** How query values are written that are numbers, by the type in the schema. */
const NUMBERS: Readonly<Record<string, RegExp>> = { integer: /^-?\d{1,9}$/, number: /^-?\d{1,9}(\.\d{1,9})?$/ };

/** A field of a schema: of one type, or of one or null. */
interface Property {
  type?: string;
  anyOf?: { type?: string }[];
}

/** Converts query values to numbers and booleans where the schema has one. Nothing else is changed or dropped. */
function convertValues(schema: TSchema, input: unknown): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, Property> };
  const read = ([name, value]: [string, unknown]) => {
    const property = properties[name];
    const type = property?.type ?? property?.anyOf?.find((variant) => variant.type !== 'null')?.type ?? '';
    if (type === 'boolean' && (value === 'true' || value === 'false')) return [name, value === 'true'];
    const isNumber = typeof value === 'string' && NUMBERS[type]?.test(value);
    return [name, isNumber ? Number(value) : value];
  };
  return Object.fromEntries(Object.entries(input as object).map(read));
}

function toValidationError(errors: readonly FieldError[]): RecollectError {
  const [first] = errors;
  const place = first?.pointer === '' ? 'The body' : `The field at ${first?.pointer}`;
  const more = errors.length > 1 ? ` See errors for ${errors.length - 1} more.` : '';
  return new RecollectError('VALIDATION_FAILED', `${place} ${first?.message}.${more}`, { errors });
}
