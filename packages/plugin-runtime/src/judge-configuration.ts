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

function unknownFields(schema: TObject, given: Record<string, unknown>): FieldError[] {
  if ('additionalProperties' in schema) return [];
  const known = Object.keys(schema.properties);
  const message =
    known.length === 0 ? 'is not known: there is nothing to configure' : `is not known; there are: ${known.join(', ')}`;
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({ pointer: `/${name}`, message }));
}
