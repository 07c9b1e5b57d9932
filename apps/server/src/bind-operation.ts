import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type AnswerOf,
  type BodyOf,
  type FieldError,
  type Operation,
  type OperationId,
  operations,
  type ParametersOf,
  type QueryOf,
  validate,
} from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify';
import type { TSchema } from 'typebox';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export interface Call<Id extends OperationId> {
  userId: string;
  body: BodyOf<Id>;
  query: QueryOf<Id>;
  parameters: ParametersOf<Id>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<AnswerOf<Id>>;

/** Makes a route of an operation. A handler gets input that fits the operation's schemas, and a user. */
export function bindOperation<Id extends OperationId>(app: App, id: Id, handler: Handler<Id>): void {
  const operation: Operation = operations[id];
  const { parameters, query, body } = operation;
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { isPublic: operation.scope === 'public' },
    schema: {
      ...(parameters === undefined ? {} : { params: parameters }),
      ...(query === undefined ? {} : { querystring: query }),
      ...(body === undefined ? {} : { body }),
    },
    validatorCompiler: ({ schema, httpPart }) => {
      return (given: unknown) => {
        const value = httpPart === 'querystring' ? withNumbers(schema as TSchema, given) : (given ?? null);
        const shape = httpPart === 'body' ? operation.bodyShape?.(value) : undefined;
        const errors = validate(shape ?? (schema as TSchema), value);
        return errors.length === 0 ? { value } : { error: toError(errors) };
      };
    },
    handler: async (request, reply) => {
      const answer = await handler({
        userId: request.identity?.userId ?? '',
        body: request.body as BodyOf<Id>,
        query: request.query as QueryOf<Id>,
        parameters: request.params as ParametersOf<Id>,
        request,
        reply,
      });
      return answer === undefined ? reply.code(204).send() : answer;
    },
  });
}

/** Query strings are text; where a whole number is asked for, a text of digits is one. Nothing else is changed or dropped. */
function withNumbers(schema: TSchema, given: unknown): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  const read = ([name, value]: [string, unknown]) => {
    const isNumber = properties[name]?.type === 'integer' && typeof value === 'string' && /^-?\d{1,9}$/.test(value);
    return [name, isNumber ? Number(value) : value];
  };
  return Object.fromEntries(Object.entries(given as object).map(read));
}

function toError(errors: readonly FieldError[]): RecollectError {
  const [first] = errors;
  const place = first?.pointer === '' ? 'The body' : `The field at ${first?.pointer}`;
  const more = errors.length > 1 ? ` ${errors.length - 1} more in errors.` : '';
  return new RecollectError('VALIDATION_FAILED', `${place} ${first?.message}.${more}`, { errors });
}
