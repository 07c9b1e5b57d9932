import {
  ApiKeyAnswer,
  ApiKeyBody,
  ApiKeyList,
  ApiKeyParameters,
  Pairing,
  PairingAnswer,
  PairingParameters,
  RedeemBody,
  SessionList,
  SessionParameters,
  SessionState,
  SignInBody,
} from '../access.js';
import { routes } from '../routes.js';
import { ProofAnswer, ProofBody } from '../status.js';

import type { Operation } from './operation.js';

/** API keys, sessions of the web app, and the proof for commands. */
export const accessOperations = {
  createApiKey: {
    ...routes.createApiKey,
    scope: 'admin',
    summary: 'Creates an API key. Only this response contains the key itself.',
    body: ApiKeyBody,
    answers: { 201: ApiKeyAnswer },
    problems: ['VALIDATION_FAILED', 'OWNER_ONLY'],
  },
  listApiKeys: {
    ...routes.listApiKeys,
    scope: 'admin',
    summary: 'Returns a list of API keys without their secrets, newest first.',
    answers: { 200: ApiKeyList },
    problems: [],
  },
  revokeApiKey: {
    ...routes.revokeApiKey,
    scope: 'admin',
    summary: 'Revokes an API key. The next request with it is rejected.',
    parameters: ApiKeyParameters,
    answers: { 204: null },
    problems: ['NOT_FOUND'],
  },
  createPairing: {
    ...routes.createPairing,
    scope: 'admin',
    summary: 'Creates a one-time code, for which a device gets an API key that can save and read.',
    answers: { 201: PairingAnswer },
    problems: [],
  },
  pairingState: {
    ...routes.pairingState,
    scope: 'admin',
    summary: 'Returns whether a device has used a one-time code.',
    parameters: PairingParameters,
    answers: { 200: Pairing },
    problems: ['NOT_FOUND'],
  },
  redeemPairing: {
    ...routes.redeemPairing,
    scope: 'public',
    admitsExtensions: true,
    summary: 'Exchanges a one-time code for an API key. Only this response contains the key itself.',
    body: RedeemBody,
    answers: { 201: ApiKeyAnswer },
    problems: ['VALIDATION_FAILED', 'PAIRING_CODE_INVALID'],
  },
  sessionState: {
    ...routes.sessionState,
    scope: 'public',
    summary: 'Returns whether a request like this one needs an API key, and what the caller may do.',
    answers: { 200: SessionState },
    problems: [],
  },
  signIn: {
    ...routes.signIn,
    scope: 'public',
    summary: 'Opens a session of the web app with an API key, and sets its cookie. Only for pages of this server.',
    body: SignInBody,
    answers: { 200: SessionState },
    problems: ['VALIDATION_FAILED'],
  },
  signOut: {
    ...routes.signOut,
    scope: 'public',
    summary: 'Ends the session of the web app.',
    answers: { 204: null },
    problems: [],
  },
  listSessions: {
    ...routes.listSessions,
    scope: 'admin',
    summary: 'Returns the sessions of the web app, newest first.',
    answers: { 200: SessionList },
    problems: [],
  },
  revokeSession: {
    ...routes.revokeSession,
    scope: 'admin',
    summary: 'Ends a session. The next request with its cookie is rejected.',
    parameters: SessionParameters,
    answers: { 204: null },
    problems: ['NOT_FOUND'],
  },
  proveServer: {
    ...routes.proveServer,
    scope: 'public',
    summary: 'Proves to a command on the same machine that this is the server that wrote server.json.',
    body: ProofBody,
    answers: { 200: ProofAnswer },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
