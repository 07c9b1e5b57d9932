import type { TSchema } from 'typebox';
import type { ProblemCode } from './error.js';
import type { Scope } from './vocabulary.js';

/**
 * One operation of the interface.
 * `bodyShape` narrows a union to the branch a given body is of, for errors that speak of that branch alone.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Parameters in braces, as in OpenAPI. */
  path: `/${string}`;
  /**
   * What a caller must be allowed to do; `public` needs no identity, `any` needs one with whatever scopes, since what is asked
   * for decides further on, and `admin` is for the owner alone.
   */
  scope: Scope | 'any' | 'public';
  /** What this body asks for beyond that, where one operation has actions of several kinds. */
  scopeFor?: (body: unknown) => Scope;
  summary: string;
  parameters?: TSchema;
  query?: TSchema;
  body?: TSchema;
  bodyShape?: (body: unknown) => TSchema;
  headers?: Readonly<Record<string, string>>;
  /** Headers of a successful answer beyond those of any. */
  answerHeaders?: Readonly<Record<string, string>>;
  /** The budget of requests a minute that it draws on; without one it is not limited. */
  budget?: 'capture' | 'query' | 'mcp';
  /** Content type of the answer where that is not JSON. */
  produces?: 'text/html' | 'application/zip';
  /** Whether links of other sites may lead there: a page that is the same for everyone and does nothing by itself. */
  takesVisitors?: boolean;
  /** Status → schema; null where there is no body. */
  answers: Readonly<Record<number, TSchema | null>>;
  /** The problems of this operation beyond those that the gate and the router can give to any request. */
  problems: readonly ProblemCode[];
}
