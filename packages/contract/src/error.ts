/** Every error code with its HTTP status and title (RFC 9457). */
export const problems = {
  CAPTURE_EMPTY: { status: 400, title: 'Nothing to capture' },
  QUERY_EMPTY: { status: 400, title: 'The query is missing or blank' },
  VALIDATION_FAILED: { status: 400, title: 'The request is invalid' },
  JSON_MALFORMED: { status: 400, title: 'The JSON body is malformed' },
  REQUEST_MALFORMED: { status: 400, title: 'The request is malformed' },
  API_KEY_IN_URL: { status: 400, title: 'The URL contains an API key' },
  HOST_INVALID: { status: 400, title: 'The Host header is missing or repeated' },
  ACTION_UNKNOWN: { status: 400, title: 'Unknown action' },
  PLUGIN_INVALID: { status: 400, title: 'The plugin cannot be used' },
  EXPORT_UNREADABLE: { status: 400, title: 'The file is not an export that can be read' },
  EXTRACTION_FAILED: { status: 400, title: 'The page could not be read' },
  AUTHENTICATION_REQUIRED: { status: 401, title: 'Authentication is required' },
  API_KEY_INVALID: { status: 401, title: 'The API key is invalid' },
  HOST_NOT_ALLOWED: { status: 403, title: 'The host name is not allowed' },
  ORIGIN_NOT_ALLOWED: { status: 403, title: 'The origin is not allowed' },
  SCOPE_MISSING: { status: 403, title: 'The API key lacks a scope' },
  OWNER_ONLY: { status: 403, title: 'Only the owner may do this' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long' },
  MEMORY_CHANGED: { status: 409, title: 'The memory has changed since it was read' },
  MEMORY_DUPLICATE: { status: 409, title: 'The memory already exists' },
  NAME_TAKEN: { status: 409, title: 'The name is taken' },
  PLUGIN_INSTALLED: { status: 409, title: 'The plugin is already installed' },
  PLUGIN_NOT_INSTALLED: { status: 409, title: 'The plugin is not installed' },
  PLUGIN_DISABLED: { status: 409, title: 'The plugin is disabled' },
  PLUGIN_SUSPENDED: { status: 409, title: 'The plugin is suspended' },
  PERMISSION_NEEDED: { status: 409, title: 'The plugin needs a permission' },
  IMPORT_RUNNING: { status: 409, title: 'An import is already running' },
  MODEL_SET: { status: 409, title: 'A setting decides which model is used' },
  JOB_RUNNING: { status: 409, title: 'The job is already running' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is too large' },
  MEDIA_TYPE_UNSUPPORTED: { status: 415, title: 'The content type is not supported' },
  IDEMPOTENCY_MISMATCH: { status: 422, title: 'The Idempotency-Key was used for another request' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large' },
  EMBEDDING_FAILED: { status: 500, title: 'The embedding model failed' },
  IMPORT_FAILED: { status: 500, title: 'The capture could not be stored' },
  RETRIEVAL_FAILED: { status: 500, title: 'The search failed' },
  BACKUP_FAILED: { status: 500, title: 'The backup failed' },
  OUTCOME_UNKNOWN: { status: 500, title: 'The change may or may not be stored' },
  INTERNAL: { status: 500, title: 'Internal error' },
  UNAVAILABLE: { status: 503, title: 'The service is not ready' },
  STORE_BUSY: { status: 503, title: 'The store is busy' },
  STORE_HALTED: { status: 503, title: 'The store accepts no changes' },
  STORE_DAMAGED: { status: 503, title: 'The store is damaged' },
  STORE_GONE: { status: 503, title: 'The store was removed or replaced' },
  STORE_FULL: { status: 507, title: 'The disk is full' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** An error in one field: a JSON pointer into the request, and what is wrong. */
export interface FieldError {
  pointer: string;
  message: string;
}
