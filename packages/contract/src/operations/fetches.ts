import { FetchBody, FetchList, FetchParameters, FetchPatch, FetchRun } from '../fetch.js';
import { routes } from '../routes.js';
import type { Operation } from './operation.js';

/** Getting the pages of saved links, in the background. */
export const fetchOperations = {
  startFetch: {
    ...routes.startFetch,
    scope: 'admin',
    summary: 'Starts to get the pages of saved links. The server connects to their sites.',
    body: FetchBody,
    answers: { 202: FetchRun },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND', 'FETCH_OFF', 'FETCH_RUNNING'],
  },
  listFetches: {
    ...routes.listFetches,
    scope: 'admin',
    summary: 'Returns the fetches since the server started, newest first.',
    answers: { 200: FetchList },
    problems: [],
  },
  fetchState: {
    ...routes.fetchState,
    scope: 'admin',
    summary: 'Returns how far a fetch is, with its latest outcomes.',
    parameters: FetchParameters,
    answers: { 200: FetchRun },
    problems: ['NOT_FOUND'],
  },
  changeFetch: {
    ...routes.changeFetch,
    scope: 'admin',
    summary: 'Pauses, continues or stops a fetch.',
    parameters: FetchParameters,
    body: FetchPatch,
    answers: { 200: FetchRun },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
