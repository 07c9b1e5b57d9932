import Type from 'typebox';

/** A challenge of a command, which is not repeated. */
export const ProofBody = Type.Object(
  { challenge: Type.String({ pattern: '^[\\w-]{43}$', description: '256 random bits in base64url.' }) },
  { additionalProperties: false },
);

/** HMAC-SHA-256 of the challenge with the secret of `server.json`, in base64url. */
export const ProofAnswer = Type.Object({ proof: Type.String() });
