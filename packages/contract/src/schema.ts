import Type, { type TSchema } from 'typebox';
import { problems } from './error.js';
import { limits } from './limits.js';

/** Warnings for a request that was accepted, such as unknown fields. */
export const Warnings = Type.Array(Type.String());

/** A field that clients may omit or send as null; both mean the same. */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

/** A response field that is null if there is no value. */
export const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A type whose optional members may also be given as undefined, so that callers can pass on what they have. */
export type Loose<T> = T extends readonly (infer Item)[]
  ? Loose<Item>[]
  : T extends object
    ? { [Name in keyof T]: Record<never, never> extends Pick<T, Name> ? Loose<T[Name]> | undefined : Loose<T[Name]> }
    : T;

export const Instant = Type.String({ format: 'instant', description: 'ISO 8601 date, or date and time with zone.' });

export const HttpUrl = Type.String({
  format: 'http-url',
  maxLength: limits.capture.urlLength,
  description: 'Absolute http or https URL.',
});

const FieldErrorSchema = Type.Object({ pointer: Type.String(), message: Type.String() });

/** The body of every error (SYS-3), RFC 9457. */
export const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.Enum(Object.keys(problems)),
  requestId: Type.String(),
  errors: Type.Optional(Type.Array(FieldErrorSchema)),
});
