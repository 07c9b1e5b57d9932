import type { StorePorts } from '@recollect/core';
import { actAs, EVERYONE } from './acting-user.js';

/** For a port, or for each method of it: why it reads or writes the rows of all users. */
type Reasons = {
  [Port in keyof StorePorts]?: string | { [Method in keyof StorePorts[Port]]?: string };
};

const IDENTIFIES = 'Finds out who the person is.';
const EXPIRES = 'Removes expired credentials of all users.';
const SCHEDULES = 'Finds users with due work.';
const DEPLOYMENT = 'Data of the deployment.';

/** The methods that act for all users. Every other method gets a user, or an object with one, as its first argument. */
export const ofEveryone: Reasons = {
  apiKeys: { find: IDENTIFIES },
  sessions: {
    find: IDENTIFIES,
    removeExpired: EXPIRES,
    removeOfProvider: 'A provider names an account, whose person is not known yet.',
  },
  pairings: { redeem: IDENTIFIES, removeExpired: EXPIRES },
  signIns: {
    findInvitation: IDENTIFIES,
    accept: IDENTIFIES,
    findPasskey: IDENTIFIES,
    findIdentity: IDENTIFIES,
    link: 'An account at a provider belongs to one person.',
  },
  users: { list: 'Sums the use of each person.', remove: 'Ends what others share with the person.' },
  shares: 'A share belongs to one person and is read by others.',
  auditLog: DEPLOYMENT,
  errorLog: DEPLOYMENT,
  installations: DEPLOYMENT,
  memories: { users: SCHEDULES, purge: 'Finds expired rows of all users, and removes them user by user.' },
  indexingJobs: { due: SCHEDULES },
  pluginJobs: { due: SCHEDULES },
  eventOutbox: { waiting: SCHEDULES, requeue: 'A plugin is enabled for all users.' },
  integrity: {
    checkStructure: DEPLOYMENT,
    round: DEPLOYMENT,
    saveRound: DEPLOYMENT,
    checkNext: 'Checks the memories of all users in one round.',
    addChecksums: 'Writes checksums user by user.',
    damaged: 'Lists damage for the operator.',
  },
  textIndex: { forgetWords: 'Finds unused words of all users, and removes them user by user.', merge: DEPLOYMENT },
  vectorIndex: { warmUp: 'An index contains the vectors of all users.' },
};

/**
 * Makes each method act for the user in its first argument. The database then shows no rows of other users, even to a
 * statement without a condition.
 */
export function limitToUsers<Ports extends object>(ports: Ports): Ports {
  const limited = Object.entries(ports).map(([name, port]) => [name, isPort(port) ? limitPort(name, port) : port]);
  return Object.fromEntries(limited) as Ports;
}

type Method = (...args: unknown[]) => unknown;

function isPort(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function limitPort(name: string, port: object): object {
  const reasons = ofEveryone[name as keyof StorePorts];
  const methods = Object.entries(port).map(([method, value]) => {
    if (typeof value !== 'function') return [method, value];
    const isOfEveryone = typeof reasons === 'string' || Object.hasOwn(reasons ?? {}, method);
    const limited: Method = (...args) => {
      const userId = isOfEveryone ? EVERYONE : userOf(args[0]);
      return limitIteration(
        userId,
        actAs(userId, () => (value as Method)(...args)),
      );
    };
    return [method, limited];
  });
  return Object.fromEntries(methods);
}

/** The user of a first argument: an id, or a lease or row of a user. Null asks for something of all users. */
function userOf(argument: unknown): string {
  if (typeof argument === 'string') return argument;
  if (argument === null) return EVERYONE;
  const { userId } = (argument ?? {}) as { userId?: unknown };
  return typeof userId === 'string' ? userId : '';
}

/** Each step of an iteration runs in the context of its caller, so it is set again. */
function limitIteration(userId: string, result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  const iterable = result as AsyncIterable<unknown>;
  return {
    [Symbol.asyncIterator]() {
      const steps = iterable[Symbol.asyncIterator]();
      return {
        next: () => actAs(userId, () => steps.next()),
        return: () => actAs(userId, async () => (await steps.return?.()) ?? { done: true, value: undefined }),
      };
    },
  };
}
