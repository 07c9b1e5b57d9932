import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import { Instant, Maybe, OrNull } from './schema.js';
import { scopes } from './vocabulary.js';

/** An API key without its secret. */
export const ApiKey = Type.Object({
  id: Type.String(),
  name: OrNull(Type.String()),
  /** The first characters of the key, to tell keys apart. */
  prefix: Type.String(),
  scopes: Type.Array(Type.Enum([...scopes])),
  createdAt: Type.String(),
  /** Updated at most once a minute. */
  lastUsedAt: OrNull(Type.String()),
  expiresAt: OrNull(Type.String()),
});

/** Unknown fields are rejected: a mistyped one would create a key with more rights than intended. */
export const ApiKeyBody = Type.Union([
  Type.Object(
    {
      name: Maybe(Type.String({ maxLength: limits.apiKeys.nameLength })),
      scopes: Maybe(Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: scopes.length, uniqueItems: true })),
      expiresAt: Maybe(Instant),
    },
    { additionalProperties: false },
  ),
  Type.Null(),
]);

export const ApiKeyAnswer = Type.Object({ key: Type.String(), apiKey: ApiKey });

export const ApiKeyList = Type.Object({ apiKeys: Type.Array(ApiKey) });

export const ApiKeyParameters = Type.Object({ id: Type.String() });

export type ApiKey = Static<typeof ApiKey>;
export type ApiKeyAnswer = Static<typeof ApiKeyAnswer>;
export type ApiKeyList = Static<typeof ApiKeyList>;
