import type { FieldError } from '@recollect/contract';
import { validate } from '@recollect/contract/validate';
import type { ConfigurationJudgement } from '@recollect/core';
import Type, { type TObject } from 'typebox';
import { Value } from 'typebox/value';

const Nothing = Type.Object({});

/**
 * Fills a configuration with its schema's defaults and checks it. A field that the schema does not know is most likely
 * mistyped, so it is refused, unless the schema itself speaks of further fields.
 */
export function judgeConfiguration(
  schema: TObject = Nothing,
  configuration: Readonly<Record<string, unknown>>,
): ConfigurationJudgement {
  const filled = Value.Default(schema, structuredClone(configuration)) as Record<string, unknown>;
  const errors = [...unknownFields(schema, filled), ...validate(schema, filled)];
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'valid', configuration: filled };
}

/** Which field it is is not said: errors do not echo what was sent. */
function unknownFields(schema: TObject, given: Record<string, unknown>): FieldError[] {
  if ('additionalProperties' in schema) return [];
  const known = Object.keys(schema.properties);
  if (Object.keys(given).every((name) => known.includes(name))) return [];
  const there = known.length === 0 ? 'there is nothing to configure' : `there are: ${known.join(', ')}`;
  return [{ pointer: '', message: `has a field that is not known; ${there}` }];
}
