import Type, { type Static } from 'typebox';
import { limits } from './limits.js';
import type { Loose } from './schema.js';
import { Maybe, OrNull } from './schema.js';
import { roles, userStates } from './vocabulary.js';

const Limit = Maybe(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Null: no limit.' }));

/** How much a person may keep and send. */
const QuotaBody = Type.Object(
  { memories: Limit, bytes: Limit, capturesPerMinute: Limit },
  { additionalProperties: false },
);
const Name = Type.String({ minLength: 1, maxLength: limits.people.nameLength });
const RoleName = Type.Enum([...roles]);

export const Person = Type.Object({
  id: Type.String(),
  name: Type.String(),
  address: OrNull(Type.String()),
  role: RoleName,
  state: Type.Enum([...userStates]),
  /** Null: no limit. */
  quota: Type.Object({
    memories: OrNull(Type.Integer()),
    /** Of texts and pictures. */
    bytes: OrNull(Type.Integer()),
    capturesPerMinute: OrNull(Type.Integer()),
  }),
  createdAt: Type.String(),
});

/** A person with the facts that an operator sees. */
export const PersonOverview = Type.Object({
  ...Person.properties,
  memories: Type.Integer(),
  bytes: Type.Integer(),
  /** When a key or session of theirs was last used. */
  lastSeenAt: OrNull(Type.String()),
});

/** The first person first. */
export const PeopleList = Type.Object({ people: Type.Array(PersonOverview) });

export const PersonParameters = Type.Object({ id: Type.String() });

export const PersonPatch = Type.Object(
  {
    name: Type.Optional(Name),
    role: Type.Optional(RoleName),
    state: Type.Optional(Type.Enum(['active', 'suspended'])),
    quota: Type.Optional(QuotaBody),
  },
  { additionalProperties: false },
);

export const InvitationBody = Type.Union([
  Type.Object(
    {
      name: Name,
      address: Maybe(Type.String({ maxLength: limits.people.addressLength, description: 'Email address.' })),
      role: Type.Optional(RoleName),
      quota: Type.Optional(QuotaBody),
    },
    { additionalProperties: false },
  ),
  Type.Object({ personId: Type.String() }, { additionalProperties: false }),
]);

/** Only this answer has the link. */
export const InvitationAnswer = Type.Object({ link: Type.String(), expiresAt: Type.String(), person: Person });

const Token = Type.String({ maxLength: limits.invitations.tokenLength });

export const OpenInvitationBody = Type.Object({ token: Token }, { additionalProperties: false });

export const LogoutBody = Type.Object({ logout_token: Type.String({ maxLength: 16_384 }) });

/** The options of WebAuthn, which the browser reads. */
const CredentialOptions = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));
/** A response of the browser's authenticator. */
const CredentialResponse = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));
const Label = Maybe(
  Type.String({ maxLength: limits.sessions.labelLength, description: 'The browser and its machine.' }),
);

/** The person of an invitation, and what their browser needs to make a passkey. */
export const OpenedInvitation = Type.Object({ name: Type.String(), options: CredentialOptions });

export const AcceptInvitationBody = Type.Object(
  { token: Token, response: CredentialResponse, label: Label },
  { additionalProperties: false },
);

export const PasskeyChallenge = Type.Object({ options: CredentialOptions });

export const PasskeySignInBody = Type.Object(
  { response: CredentialResponse, label: Label },
  { additionalProperties: false },
);

/** Counts of everything that was deleted with a person. */
export const PersonReceipt = Type.Object({
  userId: Type.String(),
  name: Type.String(),
  deletedAt: Type.String(),
  memories: Type.Integer(),
  highlights: Type.Integer(),
  savedSearches: Type.Integer(),
  apiKeys: Type.Integer(),
  sessions: Type.Integer(),
  pluginRuns: Type.Integer(),
});

export const SignedOutAnswer = Type.Object({ sessions: Type.Integer() });

/** What an operator did: an operation, whom or what it concerned, and the values that it set. */
export const AuditEntry = Type.Object({
  position: Type.Integer(),
  at: Type.String(),
  actorId: Type.String(),
  operation: Type.String(),
  target: OrNull(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
});

export const AuditQuery = Type.Object({
  before: Type.Optional(Type.Integer({ minimum: 0, description: 'Only entries before this position.' })),
});

/** Newest first. */
export const AuditAnswer = Type.Object({ entries: Type.Array(AuditEntry) });

export type Person = Static<typeof Person>;
export type PersonOverview = Static<typeof PersonOverview>;
export type PersonReceipt = Static<typeof PersonReceipt>;
export type PersonPatch = Loose<Static<typeof PersonPatch>>;
export type InvitationBody = Loose<Static<typeof InvitationBody>>;
export type InvitationAnswer = Static<typeof InvitationAnswer>;
export type AuditEntry = Static<typeof AuditEntry>;
