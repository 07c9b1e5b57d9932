import type { FieldError, ProblemCode } from './error.js';
import type { AnswerOf, BodyOf, OperationId, ParametersOf, QueryOf } from './operations.js';
import { routes } from './routes.js';

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

/** An answer that is none of the interface: another program's, or a proxy's. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;
  constructor(status: number) {
    super(`The answer with status ${status} is none of this service.`);
    this.status = status;
  }
}

export interface ClientOptions {
  /** Address of the deployment, such as `http://127.0.0.1:4545`. */
  baseUrl: string;
  apiKey?: string | undefined;
  fetch?: typeof fetch;
}

type Given<T, Key extends string> = T extends undefined ? unknown : { [K in Key]: T };
type Input<Id extends OperationId> = Given<BodyOf<Id>, 'body'> &
  Given<QueryOf<Id>, 'query'> &
  Given<ParametersOf<Id>, 'parameters'> & { headers?: Record<string, string>; signal?: AbortSignal | undefined };

export type Client = <Id extends OperationId>(id: Id, input: Input<Id>) => Promise<AnswerOf<Id>>;

/** A typed client of the whole interface: `client('query', { body: { query: 'tea' } })`. Throws {@link ProblemError} and {@link UnexpectedAnswerError}. */
export function createClient({ baseUrl, apiKey, fetch: send = fetch }: ClientOptions): Client {
  return async (id, input) => {
    const { method, path: template } = routes[id];
    const { body, query, parameters, headers, signal } = input as {
      body?: unknown;
      query?: Record<string, unknown>;
      parameters?: Record<string, string>;
      headers?: Record<string, string>;
      signal?: AbortSignal | undefined;
    };
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters?.[name] ?? ''));
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const response = await send(url, {
      method,
      headers: {
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
    const text = await response.text();
    const answer = text === '' ? undefined : readJson(text, response.status);
    if (!response.ok) {
      if (!isProblem(answer)) throw new UnexpectedAnswerError(response.status);
      throw new ProblemError(answer);
    }
    return answer as AnswerOf<typeof id>;
  };
}

function readJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedAnswerError(status);
  }
}

function isProblem(answer: unknown): answer is ConstructorParameters<typeof ProblemError>[0] {
  return typeof answer === 'object' && answer !== null && 'code' in answer && 'detail' in answer;
}
