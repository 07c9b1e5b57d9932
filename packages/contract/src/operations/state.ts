import Type from 'typebox';
import { EventsAnswer } from '../event.js';
import { QueuedAnswer, ReindexAnswer, ReindexBody, ReindexState } from '../reindex.js';
import { routes } from '../routes.js';
import { Statistics } from '../statistics.js';
import { ChooseModelBody, HealthAnswer, ModelState, Status } from '../status.js';

import type { Operation } from './operation.js';

/** The state of the service and its index, and notifications of changes. */
export const stateOperations = {
  health: {
    ...routes.health,
    scope: 'public',
    summary: 'Returns whether the server works, so that it need not be restarted.',
    answers: { 200: HealthAnswer },
    problems: ['UNAVAILABLE'],
  },
  ready: {
    ...routes.ready,
    scope: 'public',
    summary: 'Returns whether the server can answer requests: the store can be read and accepts changes.',
    answers: { 200: HealthAnswer },
    problems: ['UNAVAILABLE'],
  },
  status: {
    ...routes.status,
    scope: 'operate',
    summary: 'Returns the state of the store, the index, the model and the plugins.',
    answers: { 200: Status },
    problems: [],
  },
  statistics: {
    ...routes.statistics,
    scope: 'memory:read',
    summary: 'Returns what was saved and read a week, the growth by month, and the most frequent sites and tags.',
    answers: { 200: Statistics },
    problems: [],
  },
  metrics: {
    ...routes.metrics,
    scope: 'operate',
    summary: 'Returns metrics in the text format of Prometheus, if they are turned on.',
    produces: 'text/plain; version=0.0.4',
    answers: { 200: Type.String() },
    problems: ['NOT_FOUND'],
  },
  events: {
    ...routes.events,
    scope: 'memory:read',
    summary: 'Notifies of changes (Server-Sent Events), each with the ids of the changed memories.',
    produces: 'text/event-stream',
    headers: { 'last-event-id': 'The id of the last event that the client received. Later ones are sent first.' },
    answers: { 200: EventsAnswer },
    problems: [],
  },
  reindexState: {
    ...routes.reindexState,
    scope: 'index:run',
    summary: 'Returns how many memories have embeddings of the current model.',
    answers: { 200: ReindexState },
    problems: [],
  },
  reindex: {
    ...routes.reindex,
    scope: 'index:run',
    summary: 'Embeds one batch of memories now, or queues the work.',
    body: ReindexBody,
    answers: { 200: ReindexAnswer, 202: QueuedAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  getModel: {
    ...routes.getModel,
    scope: 'operate',
    summary: 'Returns which embedding model is used, and which ones ship.',
    answers: { 200: ModelState },
    problems: [],
  },
  chooseModel: {
    ...routes.chooseModel,
    scope: 'operate',
    summary: 'Changes to another model that ships. The server starts again with it, and makes its embeddings.',
    body: ChooseModelBody,
    answers: { 200: ModelState, 202: ModelState },
    problems: ['MODEL_SET', 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Operation>;
