import { limits } from '@recollect/contract/limits';
import { pluginPermissions, pluginScopes } from '@recollect/contract/vocabulary';
import Type from 'typebox';
import Compile from 'typebox/compile';
import type { FromChild } from '../messages.js';
import { namePattern } from '../plugin-name.js';

const { slugLength, jobs: mostJobs } = limits.plugins;
const { intervalMinutes } = limits.jobs;

const Name = Type.String({ pattern: namePattern, maxLength: slugLength });
const Anything = Type.Record(Type.String(), Type.Unknown());
const Errors = Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }));

const Manifest = Type.Object({
  slug: Name,
  version: Type.String({ maxLength: 50 }),
  title: Type.String({ maxLength: 200 }),
  description: Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()]),
  scopes: Type.Array(Type.Enum([...pluginScopes]), { maxItems: pluginScopes.length }),
  permissions: Type.Array(Type.Enum([...pluginPermissions]), { maxItems: pluginPermissions.length }),
  observesCaptures: Type.Boolean(),
  jobs: Type.Array(
    Type.Object({
      id: Name,
      title: Type.String({ maxLength: 200 }),
      defaultIntervalMinutes: Type.Integer({ minimum: intervalMinutes.minimum, maximum: intervalMinutes.maximum }),
    }),
    { maxItems: mostJobs },
  ),
  configurationSchema: Anything,
});

const explained = { summary: Type.String(), details: Type.Array(Type.String()) };

const Message = Type.Union([
  Type.Object({ type: Type.Literal('ready') }),
  Type.Object({ type: Type.Literal('loaded'), manifest: Manifest }),
  Type.Object({ type: Type.Literal('refused'), reason: Type.String(), errors: Errors }),
  Type.Object({
    type: Type.Literal('judged'),
    judgement: Type.Union([
      Type.Object({ kind: Type.Literal('valid'), configuration: Anything }),
      Type.Object({ kind: Type.Literal('invalid'), errors: Errors }),
    ]),
  }),
  Type.Object({ type: Type.Literal('request'), id: Type.Integer(), name: Type.String(), args: Anything }),
  Type.Object({ type: Type.Literal('log'), line: Type.String() }),
  Type.Object({ type: Type.Literal('done'), status: Type.Enum(['success', 'warning']), ...explained }),
  Type.Object({ type: Type.Literal('failed'), ...explained }),
  Type.Object({ type: Type.Literal('crashed'), ...explained }),
]);

const validator = Compile(Message);

/** Parses a line from a plugin's process. Null when it is not a valid message. */
export function parseMessage(line: string): FromChild | null {
  try {
    const value: unknown = JSON.parse(line);
    return validator.Check(value) ? (value as FromChild) : null;
  } catch {
    return null;
  }
}
