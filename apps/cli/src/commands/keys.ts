import { isInstant } from '@recollect/contract/instant';
import { limits } from '@recollect/contract/limits';
import { scopes as allScopes, type Scope } from '@recollect/contract/vocabulary';
import { isApiKey, prefixOf } from '@recollect/core';
import { Option } from 'commander';
import { ago, inert, print, printJson } from '../terminal/output.js';
import { printTable } from '../terminal/print.js';
import { withAdvice } from './advice.js';
import { type AddCommand, InvalidOptionError, withExecutor } from './command.js';

const DAY = 86_400_000;
const DURATION = /^(\d{1,5})d$/;

export const addKeys: AddCommand = (program) => {
  const keys = program.command('keys').description('create, list and revoke API keys for other machines and programs');
  keys
    .command('create')
    .description('create an API key and print it once')
    .argument('[name]', 'what the key is for')
    .option('--name <text>', 'the same')
    .addOption(
      new Option('--scope <scope>', 'scope to grant, repeat for several').choices(allScopes).argParser(addScope),
    )
    .option('--expires <when>', 'expiry: a number of days such as 90d, or an ISO 8601 date', readExpiry)
    .option('--json', 'print JSON')
    .action(create);
  keys.command('list').description('list API keys without their secrets').option('--json', 'print JSON').action(list);
  keys
    .command('revoke')
    .description('revoke an API key; the next request with it is rejected')
    .argument('<key>', 'the key, its prefix as printed by keys list, or its id')
    .option('--json', 'print JSON')
    .action(revoke);
};

interface CreateOptions {
  name?: string;
  scope?: Scope[];
  expires?: string;
  json?: boolean;
}

async function create(label: string | undefined, { name: option, scope, expires, json }: CreateOptions): Promise<void> {
  if (label !== undefined && option !== undefined)
    throw new InvalidOptionError('Name the key once: as the argument, or with --name.');
  const name = checkName(label ?? option);
  await withExecutor(async ({ call }) => {
    const answer = await call('createApiKey', { body: { name, scopes: scope, expiresAt: expires } });
    if (json) return printJson(answer);
    // Only the key goes to standard output, so that KEY=$(recollect keys create) captures nothing else.
    print(answer.key);
    process.stderr.write('This key is shown only once. Store it as you store passwords.\n');
    process.stderr.write(`Scopes: ${describeScopes(answer.apiKey.scopes)}. ${expiry(answer.apiKey.expiresAt)}\n`);
  });
}

async function list({ json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const answer = await call('listApiKeys', {});
    if (json) return printJson(answer);
    if (answer.apiKeys.length === 0) return print('There are no API keys. Create one with: recollect keys create');
    const longest = Math.max(...answer.apiKeys.map(({ name }) => name?.length ?? 0));
    printTable(
      [
        { title: 'name', width: Math.min(20, Math.max(4, longest)) },
        { title: 'prefix', width: 12 },
        { title: 'scopes' },
        { title: 'last used', width: 14 },
        { title: 'expires', width: 10 },
      ],
      answer.apiKeys.map(({ name, prefix, scopes, lastUsedAt, expiresAt }) => [
        name ?? '–',
        prefix,
        describeScopes(scopes),
        lastUsedAt === null ? 'never' : ago(lastUsedAt),
        expiresAt === null ? 'never' : Date.parse(expiresAt) <= Date.now() ? 'expired' : expiresAt.slice(0, 10),
      ]),
    );
  });
}

async function revoke(reference: string, { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const { apiKeys } = await call('listApiKeys', {});
    const beginning = isApiKey(reference) ? prefixOf(reference) : reference;
    const [match, ...others] = apiKeys.filter(({ id, prefix }) => id === reference || prefix === beginning);
    if (others.length > 0)
      throw new InvalidOptionError('Several keys have this prefix. Pass an id from: recollect keys list --json');
    await withAdvice(
      call('revokeApiKey', { parameters: { id: match?.id ?? reference } }),
      () => 'recollect keys list shows the keys.',
    );
    if (json) printJson({ revoked: match?.id });
    else
      print(`${inert(match?.name ?? 'The key')} (${match?.prefix}) is revoked. The next request with it is rejected.`);
  });
}

function describeScopes(scopes: readonly Scope[]): string {
  if (scopes.includes('admin')) return 'all';
  return scopes.length === allScopes.length - 2 && !scopes.includes('operate')
    ? 'all except admin and operate'
    : scopes.join(' ');
}

function expiry(expiresAt: string | null): string {
  return expiresAt === null ? 'It does not expire.' : `It expires on ${expiresAt.slice(0, 10)}.`;
}

function checkName(name: string | undefined): string | undefined {
  if (name === undefined || name.length <= limits.apiKeys.nameLength) return name;
  throw new InvalidOptionError(`The name must have at most ${limits.apiKeys.nameLength} characters.`);
}

function addScope(text: string, before: Scope[] = []): Scope[] {
  const namedScopes = text.split(',').map((name) => allScopes.find((scope) => scope === name.trim()));
  const validScopes = namedScopes.filter((scope) => scope !== undefined);
  if (validScopes.length === namedScopes.length) return [...before, ...validScopes];
  throw new InvalidOptionError(`--scope must be one or more of: ${allScopes.join(', ')}.`);
}

/** Parses an expiry. A date without a time means the end of that day. */
function readExpiry(text: string): string {
  const days = DURATION.exec(text)?.[1];
  if (days === undefined && !isInstant(text)) {
    throw new InvalidOptionError(
      '--expires must be a number of days such as 90d, or an ISO 8601 date such as 2027-01-31.',
    );
  }
  const expiry =
    days === undefined
      ? Date.parse(text.length === 10 ? `${text}T23:59:59.999Z` : text)
      : Date.now() + Number(days) * DAY;
  if (expiry > Date.now()) return new Date(expiry).toISOString();
  throw new InvalidOptionError('--expires must be in the future.');
}
