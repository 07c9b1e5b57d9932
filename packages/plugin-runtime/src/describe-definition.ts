import { limits } from '@recollect/contract/limits';
import type { PluginManifest } from '@recollect/core';
import type { PluginDefinition } from './define-plugin.js';

const { intervalMinutes } = limits.jobs;

/** The manifest of a plugin: its definition as data, without code. */
export function describeDefinition(definition: PluginDefinition): PluginManifest {
  const { slug, version, title, description, scopes = [], permissions = [], jobs = {}, onCapture } = definition;
  return {
    slug,
    version,
    title,
    description: description ?? null,
    scopes: [...scopes],
    permissions: [...permissions],
    observesCaptures: onCapture !== undefined,
    jobs: Object.entries(jobs).map(([id, job]) => ({
      id,
      title: job.title,
      defaultIntervalMinutes: job.defaultIntervalMinutes ?? intervalMinutes.default,
    })),
    configurationSchema: JSON.parse(JSON.stringify(definition.configuration ?? { type: 'object', properties: {} })),
  };
}
