import { splitQuery, toFilter } from '@recollect/contract/query-syntax';
import type { MemoryFilter } from '../memory.js';
import type { TextQuery } from '../ports/index.js';
import { toTerms } from './normalise-text.js';
import { stopWords } from './stop-words.js';

export interface ParsedQuery {
  /** The query without its operators. This is the text to embed. */
  text: string;
  terms: TextQuery;
  filter: MemoryFilter;
}

/**
 * Parses a query into text, terms and filter (QRY-8). An operator that is unknown or has an invalid value is treated as
 * text (QRY-6).
 *
 * @example
 * const { text, filter } = parseQuery('green tea site:example.org after:2026-01');
 * // 'green tea', { site: 'example.org', since: '2026-01-01T00:00:00.000Z' }
 */
export function parseQuery(query: string): ParsedQuery {
  const { operators, words } = splitQuery(query);
  return { text: words, terms: parseTerms(words), filter: toFilter(operators) };
}

function parseTerms(text: string): TextQuery {
  const all = toTerms(text);
  const meaningful = all.filter((term) => term.length > 1 || !stopWords.has(term[0] ?? ''));
  const seen = new Map((meaningful.length > 0 ? meaningful : all).map((term) => [term.join(' '), term]));
  const last = all.at(-1);
  // The last word may be unfinished while nothing follows it.
  const isUnfinished = last?.length === 1 && /[\p{L}\p{N}\p{M}_]$/u.test(text);
  return { terms: [...seen.values()], prefix: isUnfinished && (last[0]?.length ?? 0) > 1 ? (last[0] ?? null) : null };
}
