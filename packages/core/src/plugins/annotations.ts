import { findUnstorable } from '@recollect/contract/unstorable';
import { RecollectError } from '../error.js';
import type { Memory } from '../memory.js';

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
export function readAnnotation(metadata: Memory['metadata'], slug: string): unknown {
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
