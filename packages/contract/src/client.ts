import type { FieldError, ProblemCode } from './error.js';
import type { Operation } from './operation.js';
import {
  type AnswerOf,
  type BodyOf,
  type OperationId,
  operations,
  type ParametersOf,
  type QueryOf,
} from './operations.js';

/** A problem document that the service answered with. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  constructor(problem: { status: number; code: ProblemCode; detail: string; errors?: FieldError[] }) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
  }
}

export interface ClientOptions {
  /** Address of the deployment, such as `http://127.0.0.1:4545`. */
  baseUrl: string;
  apiKey?: string;
  fetch?: typeof fetch;
}

type Given<T, Key extends string> = T extends undefined ? unknown : { [K in Key]: T };
type Input<Id extends OperationId> = Given<BodyOf<Id>, 'body'> &
  Given<QueryOf<Id>, 'query'> &
  Given<ParametersOf<Id>, 'parameters'> & { headers?: Record<string, string>; signal?: AbortSignal };

export type Client = <Id extends OperationId>(id: Id, input: Input<Id>) => Promise<AnswerOf<Id>>;

/** A typed client of the whole interface: `client('query', { body: { query: 'tea' } })`. Throws {@link ProblemError}. */
export function createClient({ baseUrl, apiKey, fetch: send = fetch }: ClientOptions): Client {
  return async (id, input) => {
    const operation: Operation = operations[id];
    const { body, query, parameters, headers, signal } = input as {
      body?: unknown;
      query?: Record<string, unknown>;
      parameters?: Record<string, string>;
      headers?: Record<string, string>;
      signal?: AbortSignal;
    };
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(parameters?.[name] ?? ''),
    );
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const response = await send(url, {
      method: operation.method,
      headers: {
        ...(operation.method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    const answer: unknown = text === '' ? undefined : JSON.parse(text);
    if (!response.ok) throw new ProblemError(answer as ConstructorParameters<typeof ProblemError>[0]);
    return answer as AnswerOf<typeof id>;
  };
}
