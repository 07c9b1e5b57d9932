import {
  Highlight,
  HighlightBody,
  HighlightList,
  HighlightParameters,
  HighlightPatch,
  HighlightState,
  HighlightsQuery,
  ReviewAnswer,
  ReviewBody,
  ReviewedHighlight,
  ReviewQuery,
} from '../highlight.js';
import { MemoryParameters } from '../memory.js';
import { routes } from '../routes.js';
import type { Operation } from './operation.js';

/** Highlighted passages of memories. */
export const highlightOperations = {
  listHighlights: {
    ...routes.listHighlights,
    scope: 'memory:read',
    summary: 'Returns highlights of one memory or of all, newest first.',
    query: HighlightsQuery,
    answers: { 200: HighlightList },
    problems: ['VALIDATION_FAILED'],
  },
  createHighlight: {
    ...routes.createHighlight,
    scope: 'memory:write',
    summary: 'Highlights a passage of a memory.',
    parameters: MemoryParameters,
    body: HighlightBody,
    answers: { 201: Highlight },
    withoutRead: { 201: HighlightState },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
  updateHighlight: {
    ...routes.updateHighlight,
    scope: 'memory:write',
    summary: 'Changes the note or the colour of a highlight.',
    parameters: HighlightParameters,
    body: HighlightPatch,
    answers: { 200: Highlight },
    withoutRead: { 200: HighlightState },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
  highlightsToReview: {
    ...routes.highlightsToReview,
    scope: 'memory:read',
    summary: 'Returns the highlights of other days that are reviewed today.',
    query: ReviewQuery,
    answers: { 200: ReviewAnswer },
    problems: ['VALIDATION_FAILED'],
  },
  reviewHighlight: {
    ...routes.reviewHighlight,
    scope: 'memory:write',
    summary: 'Keeps a highlight in the review, or dismisses it from there; null takes the decision back.',
    parameters: HighlightParameters,
    body: ReviewBody,
    answers: { 200: ReviewedHighlight },
    withoutRead: { 200: HighlightState },
    problems: ['VALIDATION_FAILED', 'NOT_FOUND'],
  },
  deleteHighlight: {
    ...routes.deleteHighlight,
    scope: 'memory:write',
    summary: 'Deletes a highlight.',
    parameters: HighlightParameters,
    answers: { 204: null },
    problems: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
