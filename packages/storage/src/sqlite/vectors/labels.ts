import { branchKey, tagKey, tagsAbove } from '@recollect/contract/text';
import type { MemoryFilter } from '@recollect/core';
import { isTexts, readJson, valuesOf } from '@recollect/core/threads';
import type { Facts, Filter } from '@recollect/in-memory-index';

/** The columns of a memory that searches filter by. */
export interface MemoryFacts {
  userId: string;
  capturedAt: string;
  sourceType: string;
  site: string | null;
  /** JSON. */
  tags: string;
  client: string | null;
  clientName: string | null;
  clientKey: string | null;
  starred: number;
  isLink: number;
  readState: string;
  place: string;
}

/**
 * The filter values of a memory's vectors: when it was captured, and a label for its user, source, tags, client, star,
 * read state, place and whether it is a link, for its site and every domain above it, and for every tag above its tags.
 * Labels are hashes, so that a filter may let through what it should not: its hits are compared with the store.
 */
export function factsOf({ userId, capturedAt, sourceType, site, tags, client, ...named }: MemoryFacts): Facts {
  const { starred, isLink, readState, place } = named;
  const labels = [
    userLabel(userId),
    label('source', sourceType),
    label('starred', `${starred}`),
    label('link', `${isLink}`),
    label('read', readState),
    label('place', place),
  ];
  for (const domain of domainsOf(site)) labels.push(label('site', domain));
  for (const tag of new Set(readJson(tags, isTexts, []).flatMap(withTagsAbove))) labels.push(label('tag', tag));
  if (client !== null) labels.push(label('by', client), label('by', `${client}:${named.clientName ?? ''}`));
  if (named.clientKey !== null) labels.push(label('by', `key:${named.clientKey}`));
  return { value: Date.parse(capturedAt), labels };
}

/**
 * The labels and times of a filter. With four billion possible labels, an excluded label rarely collides with another.
 */
export function filterOf(
  userId: string,
  { sourceType, site, tag, since, until, by, starred, link, readState, place, not = {} }: MemoryFilter,
): Required<Filter> {
  const labels: (number | number[])[] = [userLabel(userId)];
  const any = (kind: string, values: readonly string[]) => {
    if (values.length > 0) labels.push(values.map((value) => label(kind, value)));
  };
  any('source', valuesOf(sourceType));
  any('site', valuesOf(site));
  any('by', valuesOf(by));
  any('read', valuesOf(readState));
  any('place', valuesOf(place));
  for (const text of valuesOf(tag)) any('tag', keysOf(text));
  if (starred !== undefined) labels.push(label('starred', starred ? '1' : '0'));
  if (link !== undefined) labels.push(label('link', link ? '1' : '0'));
  return { from: instant(since) ?? -Infinity, to: instant(until) ?? Infinity, labels, without: excludedBy(not) };
}

function excludedBy({
  sourceType,
  site,
  tag,
  by,
  starred,
  link,
  readState,
  place,
}: NonNullable<MemoryFilter['not']>): number[] {
  const all = (kind: string, values: readonly string[]) => values.map((value) => label(kind, value));
  return [
    ...all('source', valuesOf(sourceType)),
    ...all('site', valuesOf(site)),
    ...all('by', valuesOf(by)),
    ...all('read', valuesOf(readState)),
    ...all('place', valuesOf(place)),
    ...all('tag', valuesOf(tag).flatMap(keysOf)),
    ...all('starred', starred === undefined ? [] : [starred ? '1' : '0']),
    ...all('link', link === undefined ? [] : [link ? '1' : '0']),
  ];
}

function instant(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** The keys of a tag and of the tags above it. */
function withTagsAbove(tag: string): string[] {
  const key = tagKey(tag);
  return [key, ...tagsAbove(key)];
}

/** The keys that a tag in a filter stands for. */
function keysOf(tag: string): string[] {
  return [...new Set([branchKey(tag), tagKey(tag)])];
}

/** @example domainsOf('a.example.org') // ['a.example.org', 'example.org', 'org'] */
function domainsOf(site: string | null): string[] {
  const parts = site?.split('.') ?? [];
  return parts.map((_, at) => parts.slice(at).join('.'));
}

/** The label of a user's chunks. */
export function userLabel(userId: string): number {
  return label('user', userId);
}

/** A 32-bit hash: FNV-1a over UTF-16 code units. */
function label(kind: string, text: string): number {
  let hash = 0x811c9dc5;
  const whole = `${kind}:${text}`;
  for (let at = 0; at < whole.length; at++) hash = Math.imul(hash ^ whole.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
