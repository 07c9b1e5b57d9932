import type { TSchema } from 'typebox';
import type { ProblemCode } from '../error.js';
import type { Scope } from '../vocabulary.js';

/**
 * One operation of the interface.
 * `bodyShape` narrows a union to the branch that a body matches, so that errors refer to that branch only.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Parameters in braces, as in OpenAPI. */
  path: `/${string}`;
  /**
   * Scope that the caller needs. `public` needs no identity. `any` needs an identity with any scope, because the
   * operation checks the scope itself. `admin` is for the owner of
   * the memories, and `operate` for those who operate the deployment.
   */
  scope: Scope | 'any' | 'public';
  /**
   * Additional scope that a body needs, for an operation whose actions need different scopes. Null if it needs none.
   */
  scopeFor?: (body: unknown) => Scope | null;
  summary: string;
  parameters?: TSchema;
  query?: TSchema;
  body?: TSchema;
  bodyShape?: (body: unknown) => TSchema;
  headers?: Readonly<Record<string, string>>;
  /** Headers of a successful response, besides the common ones. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** The rate limit that applies (requests per minute). Without one the operation is not limited. */
  budget?: 'capture' | 'query' | 'mcp' | 'public';
  /**
   * Content type of the request if it is not JSON. Except for a form, the handler then reads the body as a stream: of
   * any length, as long as it keeps arriving.
   */
  consumes?: readonly ('application/x-ndjson' | 'application/octet-stream' | 'application/x-www-form-urlencoded')[];
  /** Content type of the response if it is not JSON. For any type, the file's own. */
  produces?:
    | 'text/html'
    | 'text/plain; version=0.0.4'
    | 'application/zip'
    | 'application/manifest+json'
    | 'text/javascript'
    | 'application/schema+json'
    | 'application/rss+xml'
    | 'application/x-ndjson'
    | 'text/event-stream'
    | '*/*';
  /** Whether other sites may link to it: the page is the same for everyone and does nothing without the user. */
  allowsCrossSiteNavigation?: boolean;
  /** Whether extensions other than the pinned one may request it without a key. Only for public operations. */
  admitsExtensions?: boolean;
  /** Response schema by status; null for an empty body. */
  answers: Readonly<Record<number, TSchema | null>>;
  /**
   * Schema of the answer for a key without `memory:read`, by status: ids and states, no stored text. Missing if the
   * whole answer is harmless.
   */
  withoutRead?: Readonly<Record<number, TSchema>>;
  /** Problems specific to this operation, besides those that the gate and the router can return for any request. */
  problems: readonly ProblemCode[];
}
