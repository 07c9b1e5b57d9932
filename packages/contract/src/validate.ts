import type { TSchema } from 'typebox';
import Compile from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import Format from 'typebox/format';
import { Settings } from 'typebox/system';
import type { FieldError } from './error.js';
import { isInstant } from './instant.js';
import { parseUrl } from './text/parse-url.js';

// By default only eight errors are reported, and a union of two branches alone produces three.
Settings.Set({ maxErrors: 100 });

/** Whether a text is an absolute http or https URL. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && parseUrl(text) !== null;
}

const blank = (text: string) => text.trim() === '';
Format.Set('instant', (text) => blank(text) || isInstant(text));
Format.Set('http-url', (text) => blank(text) || isHttpUrl(text));

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>();

/** The errors of a value, one per field; empty if it matches the schema. Messages never echo the input (SEC-16). */
export function validate(schema: TSchema, value: unknown): FieldError[] {
  let validator = compiled.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    compiled.set(schema, validator);
  }
  if (validator.Check(value)) return [];
  const byPointer = new Map<string, string>();
  for (const error of validator.Errors(value)) {
    const { pointer, message } = explain(error);
    if (message !== undefined && !byPointer.has(pointer)) byPointer.set(pointer, message);
  }
  const errors = [...byPointer].map(([pointer, message]) => ({ pointer, message }));
  return errors.length > 0 ? errors : [{ pointer: '', message: 'does not have the expected shape' }];
}

function explain(error: TLocalizedValidationError): { pointer: string; message?: string } {
  const pointer = error.instancePath;
  switch (error.keyword) {
    case 'anyOf':
    case 'boolean':
      // A more specific error exists, for a branch or for the object with the unknown field.
      return { pointer };
    case 'type':
      // For an optional field, the error of the other branch is more specific than the null branch's.
      return error.params.type === 'null'
        ? { pointer }
        : { pointer, message: `must be of type ${String(error.params.type)}` };
    case 'enum':
      return { pointer, message: `must be one of: ${error.params.allowedValues.join(', ')}` };
    case 'maxLength':
      return { pointer, message: `must have at most ${error.params.limit} characters` };
    case 'maxItems':
      return { pointer, message: `must have at most ${error.params.limit} items` };
    case 'minItems':
      return { pointer, message: `must have at least ${error.params.limit} item` };
    case 'minimum':
    case 'exclusiveMinimum':
      return { pointer, message: `must be at least ${error.params.limit}` };
    case 'maximum':
    case 'exclusiveMaximum':
      return { pointer, message: `must be at most ${error.params.limit}` };
    case 'format':
      return {
        pointer,
        message:
          error.params.format === 'http-url'
            ? 'must be an absolute http or https URL'
            : 'must be an ISO 8601 date, or date and time with time zone, such as 2026-01-31T09:30:00Z',
      };
    case 'required':
      return { pointer: `${pointer}/${error.params.requiredProperties[0]}`, message: 'is required' };
    case 'not':
      return { pointer, message: 'must not be sent together with the other shape; send one of them' };
    case 'additionalProperties':
      return { pointer, message: 'has an unknown field' };
    default:
      return { pointer, message: error.message };
  }
}
