import { type Operation, type ProblemCode, problems } from '@recollect/contract';

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
    ...(operation.scope === 'admin' ? owned : []),
    ...(operation.method === 'GET' ? [] : writing),
  ]);
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
