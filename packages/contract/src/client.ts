import type { FieldError, ProblemCode } from './error.js';
import type { BodyOf, OperationId, ParametersOf, QueryOf, ResponseOf } from './operations/index.js';
import { routes } from './routes.js';

/** Thrown when the server responds with a problem document. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  /** The whole problem document, with members that only some problems have. */
  readonly problem: Readonly<Record<string, unknown>>;
  constructor(problem: { status: number; code: ProblemCode; detail: string; errors?: FieldError[] }) {
    super(problem.detail);
    this.problem = problem;
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
  }
}

/** Thrown when the response is not Recollect's, for example from another program or a proxy. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;
  constructor(status: number) {
    super(`Unexpected response (${status}). Is this a Recollect server?`);
    this.status = status;
  }
}

export interface ClientOptions {
  /** Base URL of the deployment, such as `http://127.0.0.1:4545` or `https://host.example/recollect`. */
  baseUrl: string;
  apiKey?: string | undefined;
  /** The function that sends requests; `fetch` by default. */
  fetch?: SendRequest;
}

/** The part of `fetch` that the client needs. */
export type SendRequest = (
  url: URL,
  init: {
    method: string;
    headers: Readonly<Record<string, string>>;
    body: string | null;
    signal: AbortSignal | null;
  },
) => Promise<{ ok: boolean; status: number; headers: Pick<Headers, 'get'>; text(): Promise<string> }>;

type IfDefined<T, Key extends string> = T extends undefined ? unknown : { [K in Key]: T };
export type CallInput<Id extends OperationId> = IfDefined<BodyOf<Id>, 'body'> &
  IfDefined<QueryOf<Id>, 'query'> &
  IfDefined<ParametersOf<Id>, 'parameters'> &
  CallOptions;

export interface CallOptions {
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

export type Client = <Id extends OperationId>(id: Id, input: CallInput<Id>) => Promise<ResponseOf<Id>>;

/**
 * A typed client for all operations. Throws {@link ProblemError} and {@link UnexpectedResponseError}.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:4545' });
 * const { results } = await client('query', { body: { query: 'tea' } });
 */
export function createClient({ baseUrl, apiKey, fetch: send = fetch }: ClientOptions): Client {
  const timeZone = ownTimeZone();
  return async (id, input) => {
    const { method, path: template } = routes[id];
    const values = input as {
      body?: unknown;
      query?: Record<string, unknown>;
      parameters?: Record<string, string>;
    } & CallOptions;
    const { parameters, headers, signal } = values;
    const { body, query } = timeZone !== null && namesDays(id) ? inZone(values, timeZone) : values;
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters?.[name] ?? ''));
    const url = new URL(baseUrl.replace(/\/$/, '') + path);
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
      if (!isProblem(answer)) throw new UnexpectedResponseError(response.status);
      throw new ProblemError(answer);
    }
    return answer as ResponseOf<typeof id>;
  };
}

/** The operations whose queries can name days. */
const NAMING_DAYS: readonly OperationId[] = [
  'query',
  'queryByGet',
  'listMemories',
  'countMemories',
  'changeMemories',
  'highlightsToReview',
  'reviewHighlight',
];

/** The time zone of this machine; null where the system does not say, which a browser calls `Etc/Unknown`. */
function ownTimeZone(): string | null {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone && timeZone !== 'Etc/Unknown' ? timeZone : null;
}

function namesDays(id: OperationId): boolean {
  return NAMING_DAYS.includes(id);
}

/** A request with the zone of its user, unless it has one. */
function inZone(
  { body, query }: { body?: unknown; query?: Record<string, unknown> },
  timeZone: string,
): { body?: unknown; query?: Record<string, unknown> } {
  return body === undefined ? { query: { timeZone, ...query } } : { body: { timeZone, ...(body as object | null) } };
}

function readJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedResponseError(status);
  }
}

/** Whether a response is a problem document. */
export function isProblem(answer: unknown): answer is ConstructorParameters<typeof ProblemError>[0] {
  return typeof answer === 'object' && answer !== null && 'code' in answer && 'detail' in answer;
}
