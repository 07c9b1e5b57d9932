import type { FieldError } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { validate } from '@recollect/contract/validate';
import { pluginPermissions, pluginScopes } from '@recollect/contract/vocabulary';
import type { ConfigurationValidation } from '@recollect/core';
import type { TObject } from 'typebox';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { PluginDefinition } from './define-plugin.js';
import { isPluginName } from './plugin-name.js';

const Nothing = Type.Object({});

/**
 * Fills in the schema's defaults and validates the configuration. An unknown field is most likely mistyped, so it is
 * rejected, unless the schema itself sets `additionalProperties`.
 */
export function validateConfiguration(
  schema: TObject = Nothing,
  configuration: Readonly<Record<string, unknown>>,
): ConfigurationValidation {
  const filled = Value.Default(schema, structuredClone(configuration)) as Record<string, unknown>;
  const errors = [...unknownFields(schema, filled), ...validate(schema, filled)];
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'valid', configuration: filled };
}

/** Does not name the unknown field: errors never echo the input. */
function unknownFields(schema: TObject, given: Record<string, unknown>): FieldError[] {
  if ('additionalProperties' in schema) return [];
  const fieldNames = Object.keys(schema.properties);
  if (Object.keys(given).every((name) => fieldNames.includes(name))) return [];
  const hint = fieldNames.length === 0 ? 'this plugin has no settings' : `known fields: ${fieldNames.join(', ')}`;
  return [{ pointer: '', message: `has an unknown field; ${hint}` }];
}

const { slugLength, jobs: mostJobs } = limits.plugins;
const { intervalMinutes } = limits.jobs;

const Definition = Type.Object({
  slug: Type.String({ maxLength: slugLength }),
  version: Type.String({ maxLength: 50 }),
  title: Type.String({ maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 1_000 })),
  scopes: Type.Optional(Type.Array(Type.Enum([...pluginScopes]))),
  permissions: Type.Optional(Type.Array(Type.Enum([...pluginPermissions]))),
  configuration: Type.Optional(Type.Object({ type: Type.Literal('object') })),
  jobs: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({
        title: Type.String({ maxLength: 200 }),
        defaultIntervalMinutes: Type.Optional(
          Type.Integer({ minimum: intervalMinutes.minimum, maximum: intervalMinutes.maximum }),
        ),
      }),
    ),
  ),
});

/** Validates the export of a package. Returns the errors; empty for a plugin. */
export function checkDefinition(exported: unknown): FieldError[] {
  const errors = validate(Definition, exported);
  if (errors.length > 0) return errors;
  const { slug, version, title, jobs = {}, onCapture } = exported as PluginDefinition;
  const names = Object.keys(jobs);
  const checks: [boolean, string, string][] = [
    [isPluginName(slug), '/slug', 'must be lower-case letters, digits and single hyphens, such as reading-list'],
    [version.trim() !== '', '/version', 'must not be blank'],
    [title.trim() !== '', '/title', 'must not be blank'],
    [onCapture === undefined || typeof onCapture === 'function', '/onCapture', 'must be a function'],
    [names.length <= mostJobs, '/jobs', `must have at most ${mostJobs} jobs`],
    [
      names.length > 0 || onCapture !== undefined,
      '/jobs',
      'is empty, and there is no onCapture, so nothing would ever run',
    ],
    ...names.flatMap((name): [boolean, string, string][] => [
      [isPluginName(name), `/jobs/${name}`, 'must have a name of lower-case letters, digits and single hyphens'],
      [typeof jobs[name]?.run === 'function', `/jobs/${name}/run`, 'must be a function'],
    ]),
  ];
  return checks.filter(([isRight]) => !isRight).map(([, pointer, message]) => ({ pointer, message }));
}
