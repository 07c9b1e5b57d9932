import type { Actor, PluginScope, SourceType } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { findUnstorable } from '@recollect/contract/unstorable';
import { sourceTypes } from '@recollect/contract/vocabulary';
import type { CaptureUseCase } from '../capture/capture.js';
import { mergeTags } from '../drafts/merge-capture.js';
import { cleanTags } from '../drafts/normalise-capture.js';
import { spellTags, withoutTags } from '../drafts/tag-spelling.js';
import { RecollectError } from '../error.js';
import { draftIndexing } from '../indexing/indexing-draft.js';
import { decodeCursor, encodeCursor } from '../memories/cursor.js';
import type { Memory, MemoryFilter } from '../memory.js';
import type { Installation, PluginRequest } from '../plugin.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { Lease } from '../ports/index.js';
import { findNeighbours } from '../retrieval/find-related.js';
import { readFilter } from '../retrieval/parse-query.js';
import type { QueryUseCase } from '../retrieval/query.js';
import { createId } from '../text/create-id.js';
import { toTerms } from '../text/normalise-text.js';
import { parseArgs } from './parse-args.js';

const ID_LENGTH = 100;
const WORDS = { items: 5_000, length: 100 };
const TAGS = { items: limits.capture.tags, length: limits.capture.tagLength };
const NEIGHBOURS = { default: 10, minimum: 1, maximum: 100 };
const PAGE_SIZE = { default: 1_000, minimum: 1, maximum: 10_000 };
const { annotationBytes, state: stateLimits } = limits.plugins;

/** Answers a request that a plugin makes during a call. Throws the error that the plugin gets instead. */
export type AnswerPlugin = (plugin: Installation, lease: Lease, request: PluginRequest) => Promise<unknown>;

/** The dependencies of answering plugins. */
type AnswerPorts = Pick<
  CorePorts,
  'memories' | 'hybridIndex' | 'textIndex' | 'vectorIndex' | 'embeddingModel' | 'pluginState' | 'clock'
>;

interface Invocation {
  slug: string;
  lease: Lease;
  args: Readonly<Record<string, unknown>>;
}

interface PluginFunction {
  /** Null: needs no scope. */
  scope: PluginScope | null;
  run(asked: Invocation): Promise<unknown>;
}

/**
 * The functions that plugins may call, each with the scope that the plugin must declare. All writes happen under the
 * lease of the job or event, so work that another runner has taken over writes nothing more.
 */
export function createAnswerPlugin(
  ports: AnswerPorts,
  useCases: { query: QueryUseCase; capture: CaptureUseCase },
): AnswerPlugin {
  const { memories, textIndex, pluginState, clock } = ports;

  const change = async (
    { lease, args, slug }: Invocation,
    make: (present: Memory) => { tags?: string[]; metadata?: Record<string, unknown> },
  ) => {
    const updated = await memories.update(lease.userId, idOf(args), make, {
      now: clock.now().toISOString(),
      indexing: draftIndexing(ports, { isInline: false }),
      changeMark: { changeId: createId(clock.now()), actor: actorOf(slug) },
      lease,
    });
    return updated !== null;
  };

  const functions: Readonly<Record<string, PluginFunction>> = {
    'memory.search': {
      scope: 'search',
      async run({ lease, args }) {
        const { answer } = await useCases.query(lease.userId, parseArgs.text(args, 'query', limits.query.length), {
          limit: parseArgs.integer(args, 'limit', limits.query.results),
          filter: filterOf(args),
        });
        return answer.results;
      },
    },
    'memory.neighbours': {
      scope: 'search',
      async run({ lease, args, slug }) {
        const limit = parseArgs.integer(args, 'limit', NEIGHBOURS);
        const neighbours = await findNeighbours(ports, lease.userId, idOf(args), limit);
        return neighbours?.map(({ memory, similarity }) => ({ ...summaryOf(memory, slug), similarity })) ?? null;
      },
    },
    'memory.frequencies': {
      scope: 'search',
      async run({ lease, args }) {
        const words = parseArgs.strings(args, 'words', WORDS);
        const terms = words.map((word) => toTerms(word)[0] ?? []);
        const typedTerms = terms.filter((term) => term.length > 0);
        const { total, counts } = await textIndex.frequencies(lease.userId, typedTerms);
        const counted = counts.values();
        return { total, counts: terms.map((term) => (term.length === 0 ? 0 : (counted.next().value ?? 0))) };
      },
    },
    'memory.get': {
      scope: 'read',
      async run({ lease, args, slug }) {
        const memory = await memories.find(lease.userId, idOf(args));
        if (memory === null) return null;
        return { ...summaryOf(memory, slug), text: memory.text, metadata: memory.metadata };
      },
    },
    'memory.list': {
      scope: 'list',
      async run({ lease, args, slug }) {
        const limit = parseArgs.integer(args, 'limit', limits.memories.page);
        const cursor = parseArgs.optionalString(args, 'cursor', 200);
        const after = cursor === null ? null : decodeCursor(cursor);
        const listed = await memories.list(lease.userId, {
          limit: limit + 1,
          after: after === null ? null : { key: after.capturedAt, id: after.id },
          filter: filterOf(args),
        });
        const page = listed.slice(0, limit);
        const last = page.at(-1);
        return {
          memories: page.map((memory) => summaryOf(memory, slug)),
          nextCursor: listed.length > limit && last !== undefined ? encodeCursor(last) : null,
        };
      },
    },
    'memory.tags': {
      scope: 'list',
      async run({ lease, args }) {
        const tags = await memories.tags(lease.userId, parseArgs.integer(args, 'limit', PAGE_SIZE));
        return tags.map(({ tag, count }) => ({ tag, count }));
      },
    },
    'memory.addTags': {
      scope: 'tag',
      async run(asked) {
        const tagsToAdd = cleanTags(parseArgs.strings(asked.args, 'tags', TAGS));
        const added = await spellTags(memories, asked.lease.userId, tagsToAdd);
        return change(asked, ({ tags }) => {
          const all = mergeTags(tags, added);
          return all.length === tags.length ? {} : { tags: all };
        });
      },
    },
    'memory.removeTags': {
      scope: 'tag',
      async run(asked) {
        const removed = cleanTags(parseArgs.strings(asked.args, 'tags', TAGS));
        return change(asked, ({ tags }) => {
          const left = withoutTags(tags, removed);
          return left.length === tags.length ? {} : { tags: left };
        });
      },
    },
    'memory.annotate': {
      scope: 'tag',
      async run(asked) {
        const value = parseArgs.json(asked.args, 'value', annotationBytes);
        return change(asked, ({ metadata }) => withAnnotation(metadata, asked.slug, value));
      },
    },
    'memory.save': {
      scope: 'save',
      async run({ lease, args, slug }) {
        const capture = {
          title: parseArgs.optionalString(args, 'title', limits.capture.titleLength),
          pageText: parseArgs.text(args, 'text', limits.body.bytes),
          url: parseArgs.optionalString(args, 'url', limits.capture.urlLength),
          tags: args.tags === undefined ? [] : parseArgs.strings(args, 'tags', TAGS),
          note: parseArgs.optionalString(args, 'note', limits.capture.noteLength),
          metadata: { ...parseArgs.record(args, 'metadata'), plugin: slug },
          sourceApp: slug,
        };
        // If plugins were notified of memories that plugins save, they could loop.
        const { answer } = await useCases.capture(lease.userId, [capture], {
          triggersHooks: false,
          lease,
          actor: actorOf(slug),
        });
        const [saved] = answer.captures;
        return { id: saved?.id, status: saved?.status };
      },
    },
    'state.get': {
      scope: null,
      run: ({ lease, slug, args }) => pluginState.get(lease.userId, slug, keyOf(args)),
    },
    'state.set': {
      scope: null,
      async run({ lease, slug, args }) {
        const value = parseArgs.json(args, 'value', stateLimits.valueBytes);
        const isSet = await pluginState.set(lease, slug, keyOf(args), value, stateLimits.keys);
        if (!isSet)
          throw new RecollectError('VALIDATION_FAILED', `A plugin can store at most ${stateLimits.keys} keys.`);
      },
    },
    'state.delete': {
      scope: null,
      run: ({ lease, slug, args }) => pluginState.remove(lease, slug, keyOf(args)),
    },
    'state.keys': {
      scope: null,
      run: ({ lease, slug, args }) =>
        pluginState.keys(lease.userId, slug, parseArgs.optionalString(args, 'prefix', stateLimits.keyLength) ?? ''),
    },
  };

  return async ({ manifest }, lease, { name, args }) => {
    const pluginFunction = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (pluginFunction === undefined)
      throw new RecollectError('VALIDATION_FAILED', 'There is no function with this name.');
    if (pluginFunction.scope !== null && !manifest.scopes.includes(pluginFunction.scope)) {
      throw new RecollectError(
        'SCOPE_MISSING',
        `The plugin does not declare the scope ${pluginFunction.scope}. Add it to scopes.`,
      );
    }
    return (await pluginFunction.run({ slug: manifest.slug, lease, args })) ?? null;
  };
}

const actorOf = (slug: string): Actor => ({ client: 'plugin', name: slug, key: null });
const idOf = (args: Invocation['args']) => parseArgs.text(args, 'id', ID_LENGTH);
const keyOf = (args: Invocation['args']) => parseArgs.text(args, 'key', stateLimits.keyLength);

function filterOf(args: Invocation['args']): MemoryFilter {
  const [sourceType, site, tag, since, until] = ['sourceType', 'site', 'tag', 'since', 'until'].map((name) =>
    parseArgs.optionalString(args, name, 1_000),
  );
  return readFilter({ sourceType: sourceType == null ? null : sourceTypeOf(sourceType), site, tag, since, until });
}

function sourceTypeOf(text: string): SourceType {
  const sourceType = sourceTypes.find((type) => type === text);
  if (sourceType !== undefined) return sourceType;
  throw new RecollectError('VALIDATION_FAILED', `sourceType must be one of: ${sourceTypes.join(', ')}.`);
}

function summaryOf(memory: Memory, slug: string) {
  const { id, title, url, sourceType, sourceApp, captureMode, tags, note, capturedAt, updatedAt } = memory;
  const annotation = readAnnotation(memory.metadata, slug);
  return { id, title, url, sourceType, sourceApp, captureMode, tags, note, capturedAt, updatedAt, annotation };
}

/** The annotations of plugins on a memory, by slug. Undefined when a client stores something else in this field. */
function annotationsOf({ plugins = {} }: Memory['metadata']): Record<string, unknown> | undefined {
  const isRecord = typeof plugins === 'object' && plugins !== null && !Array.isArray(plugins);
  return isRecord ? (plugins as Record<string, unknown>) : undefined;
}

/** Null when the plugin has no annotation, even if its slug is a property of every object, such as `constructor`. */
function annotationOf(annotations: Record<string, unknown> = {}, slug: string): unknown {
  return Object.hasOwn(annotations, slug) ? annotations[slug] : null;
}

/** A plugin's annotation on a memory; null when it has none. */
function readAnnotation(metadata: Memory['metadata'], slug: string): unknown {
  return annotationOf(annotationsOf(metadata), slug);
}

/** Sets a plugin's annotation in the metadata; null removes it. Returns no change when the value is the same. */
export function withAnnotation(metadata: Memory['metadata'], slug: string, value: unknown) {
  const present = annotationsOf(metadata);
  if (present === undefined) {
    throw new RecollectError(
      'VALIDATION_FAILED',
      'The metadata field plugins of this memory is not an object, so plugins cannot annotate it.',
    );
  }
  if (JSON.stringify(annotationOf(present, slug)) === JSON.stringify(value)) return {};
  const fault = findUnstorable(value, 2);
  if (fault !== null) throw new RecollectError('VALIDATION_FAILED', `The annotation ${fault}.`);
  const { [slug]: _, ...others } = present;
  const plugins = value === null ? others : { ...others, [slug]: value };
  const { plugins: __, ...rest } = metadata;
  return { metadata: Object.keys(plugins).length === 0 ? rest : { ...rest, plugins } };
}
