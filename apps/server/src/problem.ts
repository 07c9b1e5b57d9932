import { type FieldError, type Operation, type ProblemCode, problems } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonError } from './parse-json.js';

export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  requestId: string;
  errors?: readonly FieldError[];
}

/** The response body for an error (RFC 9457, SYS-3). */
export function toProblem(error: RecollectError, requestId: string): ProblemDocument {
  const { status, title } = problems[error.code];
  return {
    ...error.extension,
    type: `urn:recollect:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.errors.length === 0 ? {} : { errors: error.errors }),
  };
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: RecollectError): FastifyReply {
  const problem = toProblem(error, request.id);
  if (problem.status === 401) {
    reply.header('www-authenticate', error.code === 'API_KEY_INVALID' ? 'Bearer error="invalid_token"' : 'Bearer');
  }
  if (error.retryAfter !== null) reply.header('retry-after', error.retryAfter);
  return reply.code(problem.status).type('application/problem+json; charset=utf-8').send(JSON.stringify(problem));
}

/** Converts any error to one that may be shown. Our own errors keep their message; others reveal nothing (SEC-15). */
export function toRecollectError(error: unknown): RecollectError {
  if (error instanceof RecollectError) return error;
  if (error instanceof JsonError) {
    return new RecollectError('JSON_MALFORMED', `${error.message} Send UTF-8 JSON with each key once.`, {
      cause: error,
    });
  }
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new RecollectError('PAYLOAD_TOO_LARGE', 'The body is larger than 16 MiB. Send fewer captures at a time.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new RecollectError('MEDIA_TYPE_UNSUPPORTED', 'Send Content-Type: application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new RecollectError('REQUEST_MALFORMED', 'The length of the body does not match Content-Length.');
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return new RecollectError('REQUEST_MALFORMED', 'The connection closed before the whole request arrived.');
    case 'FST_ERR_BAD_URL':
      return new RecollectError('REQUEST_MALFORMED', 'The path of the request cannot be decoded.');
    default:
      if (isFrameworkRejection(error)) return new RecollectError('REQUEST_MALFORMED', 'The request cannot be read.');
      return new RecollectError('INTERNAL', 'An internal error occurred. The log has an entry with this requestId.', {
        cause: error,
      });
  }
}

/** Whether Fastify itself rejected the request. */
function isFrameworkRejection(error: unknown): boolean {
  const { code, statusCode = 500 } = (error ?? {}) as { code?: string; statusCode?: number };
  return code?.startsWith('FST_') === true && statusCode < 500;
}

const anywhere: readonly ProblemCode[] = [
  'REQUEST_MALFORMED',
  'HOST_INVALID',
  'API_KEY_IN_URL',
  'API_KEY_INVALID',
  'HOST_NOT_ALLOWED',
  'ORIGIN_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'UNAVAILABLE',
  'STORE_BUSY',
  'STORE_DAMAGED',
  'STORE_GONE',
];
const scoped: readonly ProblemCode[] = ['AUTHENTICATION_REQUIRED', 'SCOPE_MISSING'];
const owned: readonly ProblemCode[] = ['OWNER_ONLY'];
const writing: readonly ProblemCode[] = [
  'JSON_MALFORMED',
  'MEDIA_TYPE_UNSUPPORTED',
  'PAYLOAD_TOO_LARGE',
  'OUTCOME_UNKNOWN',
  'STORE_HALTED',
  'STORE_FULL',
  'QUOTA_EXCEEDED',
];

/** The problems that the gate and the router return rather than an operation itself. */
export const commonProblems = { anywhere, scoped, owned, writing };

/** Every problem that an operation can return, by status. */
export function problemsByStatus(operation: Operation): Map<number, ProblemCode[]> {
  const codes = new Set([
    ...operation.problems,
    ...anywhere,
    // An unknown parameter.
    ...(operation.path.startsWith('/api/v1/') ? (['VALIDATION_FAILED'] as const) : []),
    ...(operation.scope === 'public' ? [] : scoped),
    ...(operation.scope === 'admin' || operation.scope === 'operate' ? owned : []),
    ...(operation.method === 'GET' ? [] : writing),
  ]);
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
