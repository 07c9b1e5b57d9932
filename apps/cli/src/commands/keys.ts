import { isInstant } from '@recollect/contract/instant';
import { limits } from '@recollect/contract/limits';
import { scopes as allScopes, type Scope } from '@recollect/contract/vocabulary';
import { isApiKey, LOCAL_USER, prefixOf } from '@recollect/core';
import { ago, inert, print, printJson, printTable } from '../terminal/output.js';
import { withAdvice } from './advice.js';
import { type AddCommand, InvalidOptionError, withRecollect } from './command.js';

const DAY = 86_400_000;
const DURATION = /^(\d{1,5})d$/;

export const addKeys: AddCommand = (program) => {
  const keys = program.command('keys').description('make, list and revoke API keys for other machines and programs');
  keys
    .command('create')
    .description('make a key and show it, this once')
    .option('--name <text>', 'what it is for', readName)
    .option('--scope <scope>', `what it may do, more than once for more: ${allScopes.join(', ')}`, addScope)
    .option('--expires <when>', 'days such as 90d, or an ISO 8601 date', readExpiry)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nWithout --scope it may do everything but what is for the owner alone (admin).\n\nExamples:\n  recollect keys create --name phone --scope capture:write --expires 90d\n  recollect keys create --name agent --scope memory:read --scope capture:write',
    )
    .action(create);
  keys
    .command('list')
    .description('list the keys, without their secrets')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect keys list')
    .action(list);
  keys
    .command('revoke')
    .description('end a key; the next request with it is refused')
    .argument('<key>', 'the key, its beginning as keys list prints it, or its id')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  recollect keys revoke rec_4fGh28sK')
    .action(revoke);
};

interface CreateOptions {
  name?: string;
  scope?: Scope[];
  expires?: string;
  json?: boolean;
}

async function create({ name, scope, expires, json }: CreateOptions): Promise<void> {
  await withRecollect(async ({ core }) => {
    const answer = await core.apiKeys.create(LOCAL_USER, {
      name,
      scopes: scope,
      expiresAt: expires,
    });
    if (json) return printJson(answer);
    // The key alone goes to standard output, so that KEY=$(recollect keys create) holds it and nothing else.
    print(answer.key);
    process.stderr.write('This is the only time that the key is shown. Keep it where you keep passwords.\n');
    process.stderr.write(`It may do: ${mayDo(answer.apiKey.scopes)}. ${expiry(answer.apiKey.expiresAt)}\n`);
  });
}

async function list({ json }: { json?: boolean }): Promise<void> {
  await withRecollect(async ({ core }) => {
    const answer = await core.apiKeys.list(LOCAL_USER);
    if (json) return printJson(answer);
    if (answer.apiKeys.length === 0) return print('There are no keys. Make one with: recollect keys create');
    const longest = Math.max(...answer.apiKeys.map(({ name }) => name?.length ?? 0));
    printTable(
      [
        { title: 'name', width: Math.min(20, Math.max(4, longest)) },
        { title: 'begins', width: 12 },
        { title: 'may' },
        { title: 'used', width: 14 },
        { title: 'expires', width: 10 },
      ],
      answer.apiKeys.map(({ name, prefix, scopes, lastUsedAt, expiresAt }) => [
        name ?? '–',
        prefix,
        mayDo(scopes),
        lastUsedAt === null ? 'never' : ago(lastUsedAt),
        expiresAt === null ? 'never' : Date.parse(expiresAt) <= Date.now() ? 'expired' : expiresAt.slice(0, 10),
      ]),
    );
  });
}

async function revoke(given: string, { json }: { json?: boolean }): Promise<void> {
  await withRecollect(async ({ core }) => {
    const { apiKeys } = await core.apiKeys.list(LOCAL_USER);
    const beginning = isApiKey(given) ? prefixOf(given) : given;
    const [found, ...others] = apiKeys.filter(({ id, prefix }) => id === given || prefix === beginning);
    if (others.length > 0) throw new InvalidOptionError('Several keys begin so; keys list --json shows their ids.');
    await withAdvice(core.apiKeys.revoke(LOCAL_USER, found?.id ?? given), () => 'recollect keys list shows the keys.');
    if (json) printJson({ revoked: found?.id });
    else
      print(`${inert(found?.name ?? 'The key')} (${found?.prefix}) is revoked. The next request with it is refused.`);
  });
}

function mayDo(scopes: readonly Scope[]): string {
  if (scopes.includes('admin')) return 'everything';
  return scopes.length === allScopes.length - 1 ? 'everything but admin' : scopes.join(' ');
}

function expiry(expiresAt: string | null): string {
  return expiresAt === null ? 'It does not expire.' : `It expires on ${expiresAt.slice(0, 10)}.`;
}

function readName(text: string): string {
  if (text.length <= limits.apiKeys.nameLength) return text;
  throw new InvalidOptionError(`--name must have at most ${limits.apiKeys.nameLength} characters.`);
}

function addScope(text: string, before: Scope[] = []): Scope[] {
  const given = text.split(',').map((name) => allScopes.find((scope) => scope === name.trim()));
  const known = given.filter((scope) => scope !== undefined);
  if (known.length === given.length) return [...before, ...known];
  throw new InvalidOptionError(`--scope takes, once or several times: ${allScopes.join(', ')}.`);
}

/** An instant; a day without a time counts to its end. */
function readExpiry(text: string): string {
  const days = DURATION.exec(text)?.[1];
  if (days === undefined && !isInstant(text)) {
    throw new InvalidOptionError(
      '--expires takes a number of days such as 90d, or an ISO 8601 date such as 2027-01-31.',
    );
  }
  const expiry =
    days === undefined
      ? Date.parse(text.length === 10 ? `${text}T23:59:59.999Z` : text)
      : Date.now() + Number(days) * DAY;
  if (expiry > Date.now()) return new Date(expiry).toISOString();
  throw new InvalidOptionError('--expires must lie in the future.');
}
