import type { FieldError } from '@recollect/contract';
import { validate } from '@recollect/contract/validate';
import type { ConfigurationValidation } from '@recollect/core';
import Type, { type TObject } from 'typebox';
import { Value } from 'typebox/value';

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
  const known = Object.keys(schema.properties);
  if (Object.keys(given).every((name) => known.includes(name))) return [];
  const hint = known.length === 0 ? 'this plugin has no settings' : `known fields: ${known.join(', ')}`;
  return [{ pointer: '', message: `has an unknown field; ${hint}` }];
}
