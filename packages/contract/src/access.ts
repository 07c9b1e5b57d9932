import type { Static } from 'typebox';
import Type from 'typebox';
import { limits } from './limits.js';
import { Instant, Maybe, OrNull } from './schema.js';
import { scopes } from './vocabulary.js';

export const SignInBody = Type.Object(
  {
    apiKey: Type.String({ maxLength: 200 }),
    label: Maybe(Type.String({ maxLength: limits.sessions.labelLength, description: 'The browser and its machine.' })),
  },
  { additionalProperties: false },
);

/** Whether the caller is signed in, and what it may do. */
export const SessionState = Type.Object({
  /** Whether requests like this one need an API key or a session. */
  needsKey: Type.Boolean(),
  /** Null without an identity. The owner on their own machine has the scopes admin and operate. */
  scopes: OrNull(Type.Array(Type.Enum([...scopes]))),
  /** The session that the cookie opened. Null for other identities. */
  sessionId: OrNull(Type.String()),
  /** Whether several people use the deployment, who sign in with passkeys. */
  hasAccounts: Type.Boolean(),
  /** The name of the provider of identities, at /sign-in. Null without one. */
  provider: OrNull(Type.String()),
});

/** A session of the web app. It may do what its API key may do, and ends with it. */
export const Session = Type.Object({
  id: Type.String(),
  apiKeyId: Type.String(),
  /** The browser, as its page names it. */
  label: Type.String(),
  createdAt: Type.String(),
  /** Updated at most once a minute. */
  lastUsedAt: OrNull(Type.String()),
  expiresAt: Type.String(),
});

/** Newest first. */
export const SessionList = Type.Object({ sessions: Type.Array(Session) });

export const SessionParameters = Type.Object({ id: Type.String() });

export type SessionState = Static<typeof SessionState>;
export type Session = Static<typeof Session>;
export type SessionList = Static<typeof SessionList>;

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

/** A one-time code for a device, without the code itself. */
export const Pairing = Type.Object({
  id: Type.String(),
  expiresAt: Type.String(),
  /** The key that a device got for the code. Null before that. */
  apiKey: OrNull(ApiKey),
});

/** Only this answer has the code. */
export const PairingAnswer = Type.Object({ code: Type.String(), pairing: Pairing });

export const PairingParameters = Type.Object({ id: Type.String() });

export const RedeemBody = Type.Object(
  {
    code: Type.String({
      maxLength: limits.pairing.codeLength,
      description: 'In upper or lower case, with or without dashes and spaces.',
    }),
    device: Maybe(
      Type.String({ maxLength: limits.pairing.deviceLength, description: 'The beginning of the key’s name.' }),
    ),
  },
  { additionalProperties: false },
);

export type Pairing = Static<typeof Pairing>;
export type PairingAnswer = Static<typeof PairingAnswer>;
