import { confirm, isCancel } from '@clack/prompts';
import { type PersonOverview, type PersonPatch, writeExport } from '@recollect/contract';
import { count, formatBytes, tagKey } from '@recollect/contract/text';
import { type Role, roles } from '@recollect/contract/vocabulary';
import { LOCAL_USER, RecollectError } from '@recollect/core';
import { publicBaseUrl } from '@recollect/server/access-policy';
import { Option } from 'commander';
import { readConfiguration } from '../config.js';
import { localAddress } from '../server-address.js';
import { ago, inert, print, printJson } from '../terminal/output.js';
import { printTable } from '../terminal/print.js';
import { chooseTarget, writeFileAtomically } from '../transfer/write-file.js';
import { version } from '../version.js';
import { type AddCommand, InvalidOptionError, stopSignal, withExecutor, withRecollect } from './command.js';

const MEGABYTE = 1_000_000;
const PERSON = 'their name, email address or id';

export const addPeople: AddCommand = (program) => {
  const people = program
    .command('people')
    .description('list, invite, change, export and delete the people of a deployment')
    .option('--json', 'print JSON')
    .action(list);
  addLimits(
    people
      .command('invite')
      .description('add a person, or give one a new link, and print the link once')
      .argument('<name>', 'the name of a new person, or with --again of one who exists')
      .option('--address <address>', 'email address, with which they can sign in at a provider')
      .option('--again', 'a new link for a person who exists, for another device or after a lost one'),
  ).action(invite);
  addLimits(
    people.command('change').description('change the role or the quota of a person').argument('<person>', PERSON),
  ).action(change);
  people
    .command('disable')
    .description('suspend a person, who then has no access; nothing of theirs is deleted')
    .argument('<person>', PERSON)
    .option('--json', 'print JSON')
    .action((person: string, options: { json?: boolean }) => setState(person, 'suspended', options));
  people
    .command('enable')
    .description('give a suspended person access again')
    .argument('<person>', PERSON)
    .option('--json', 'print JSON')
    .action((person: string, options: { json?: boolean }) => setState(person, 'active', options));
  people
    .command('export')
    .description('write everything that a person has into a file')
    .argument('<person>', PERSON)
    .requiredOption('--out <path>', 'a new file, or an existing folder to put it in')
    .option('--json', 'print JSON')
    .action(exportPerson);
  people
    .command('delete')
    .description('permanently delete a person with everything that is theirs, and print a receipt')
    .argument('<person>', PERSON)
    .option('--yes', 'delete without asking')
    .option('--json', 'print JSON; requires --yes')
    .action(remove);
};

/** A typed limit. Not null: commander would take that for a missing value. */
type Limit = number | 'none';

interface Limits {
  role?: Role;
  memories?: Limit;
  megabytes?: Limit;
  captures?: Limit;
  json?: boolean;
}

function addLimits(command: ReturnType<Parameters<AddCommand>[0]['command']>) {
  return command
    .addOption(new Option('--role <role>', 'what they may do').choices([...roles]))
    .option('--memories <number>', 'how many memories they may have, or none for no limit', limit('--memories'))
    .option('--megabytes <number>', 'how large texts and pictures may be together, or none', limit('--megabytes'))
    .option('--captures <number>', 'how many captures a minute they may send, or none', limit('--captures'))
    .option('--json', 'print JSON');
}

/** Parses a limit: a whole number, or none. */
function limit(name: string): (text: string) => Limit {
  return (text) => {
    if (text === 'none') return text;
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw new InvalidOptionError(`${name} must be a whole number, or none.`);
  };
}

function quotaOf({ memories, megabytes, captures }: Limits): NonNullable<PersonPatch['quota']> {
  const read = (typed: Limit | undefined, unit = 1) => (typed === 'none' ? null : typed && typed * unit);
  return { memories: read(memories), bytes: read(megabytes, MEGABYTE), capturesPerMinute: read(captures) };
}

/** The person whom a word names. Throws NOT_FOUND, or if it names several. */
function findPerson(people: readonly PersonOverview[], word: string): PersonOverview {
  const key = tagKey(word.trim());
  const named = people.filter(
    ({ id, name, address }) => id === word || tagKey(name) === key || (address !== null && tagKey(address) === key),
  );
  const [person, ...others] = named;
  if (others.length > 0)
    throw new InvalidOptionError('Several people have this name. Pass an id from: recollect people --json');
  if (person !== undefined) return person;
  throw new RecollectError('NOT_FOUND', `There is no person called ${word}. recollect people lists them.`);
}

async function list({ json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const answer = await call('listPeople', {});
    if (json) return printJson(answer);
    printTable(
      [
        { title: 'name', width: 20 },
        { title: 'role', width: 6 },
        { title: 'state', width: 9 },
        { title: 'memories', width: 16 },
        { title: 'size', width: 18 },
        { title: 'last seen' },
      ],
      answer.people.map(({ name, role, state, memories, bytes, quota, lastSeenAt }) => [
        name,
        role,
        state,
        `${memories}${quota.memories === null ? '' : ` of ${quota.memories}`}`,
        `${formatBytes(bytes)}${quota.bytes === null ? '' : ` of ${formatBytes(quota.bytes)}`}`,
        lastSeenAt === null ? 'never' : ago(lastSeenAt),
      ]),
    );
  });
}

interface InviteOptions extends Limits {
  address?: string;
  again?: boolean;
}

async function invite(name: string, { address, again, role, json, ...limits }: InviteOptions): Promise<void> {
  const isChanged = [address, role, ...Object.values(limits)].some((value) => value !== undefined);
  if (again && isChanged) throw new InvalidOptionError('--again takes no other option. Use: recollect people change');
  const { policy, port } = readConfiguration();
  const base = publicBaseUrl(policy) ?? localAddress({ policy, port });
  await withRecollect(async ({ core }) => {
    const request = again
      ? { personId: findPerson(await core.people.list(), name).id }
      : { name, address, role, quota: quotaOf(limits) };
    const { token, expiresAt, person } = await core.invitations.invite(request);
    await core.audit.record(LOCAL_USER, 'invitePerson', person.id, { role: person.role });
    const link = `${base}/#invite=${token}`;
    if (json) return printJson({ link, expiresAt, person });
    // Only the link goes to standard output, so that it can be piped.
    print(link);
    process.stderr.write(`The link for ${inert(person.name)} is shown only once. It is valid once, for seven days.\n`);
  });
}

async function change(word: string, { role, json, ...limits }: Limits): Promise<void> {
  const quota = quotaOf(limits);
  if (role === undefined && Object.values(quota).every((value) => value === undefined))
    throw new InvalidOptionError('Pass what to change: --role, --memories, --megabytes or --captures.');
  await withExecutor(async ({ call }) => {
    const { id, name } = findPerson((await call('listPeople', {})).people, word);
    const person = await call('changePerson', { parameters: { id }, body: { role, quota } });
    if (json) return printJson(person);
    print(`${inert(name)} is changed.`);
  });
}

async function setState(word: string, state: 'active' | 'suspended', { json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const { id, name } = findPerson((await call('listPeople', {})).people, word);
    const person = await call('changePerson', { parameters: { id }, body: { state } });
    if (json) return printJson(person);
    print(`${inert(name)} ${state === 'active' ? 'has access again' : 'has no access now'}.`);
  });
}

async function exportPerson(word: string, { out, json }: { out: string; json?: boolean }): Promise<void> {
  const path = await chooseTarget(out, 'jsonl');
  await withRecollect(async ({ core }) => {
    const { id, name } = findPerson(await core.people.list(), word);
    await core.audit.record(LOCAL_USER, 'exportPerson', id);
    const parts = await core.records.headerParts(id, {});
    const lines = writeExport(core.records.export(id, {}), { program: version, now: new Date(), ...parts });
    const bytes = await writeFileAtomically(path, lines, stopSignal());
    if (json) return printJson({ path, person: id, bytes });
    print(`Everything of ${inert(name)} is written to ${path} (${formatBytes(bytes)}).`);
  }, 'transfer');
}

async function remove(word: string, { yes = false, json = false }: { yes?: boolean; json?: boolean }): Promise<void> {
  if (json && !yes) throw new InvalidOptionError('--json cannot ask for confirmation. Add --yes.');
  if (!yes && !process.stdin.isTTY)
    throw new InvalidOptionError('Nobody was deleted. To delete permanently without being asked, add --yes.');
  await withExecutor(async ({ call }) => {
    const person = findPerson((await call('listPeople', {})).people, word);
    if (!yes && !(await confirmDeletion(person))) return print('Nobody was deleted.');
    const receipt = await call('removePerson', { parameters: { id: person.id } });
    if (json) return printJson(receipt);
    print(
      `${inert(receipt.name)} is deleted, with ${count(receipt.memories, 'memory', 'memories')}, ${count(receipt.highlights, 'highlight', 'highlights')}, ${count(receipt.savedSearches, 'saved search', 'saved searches')} and ${count(receipt.apiKeys, 'key', 'keys')}.`,
    );
  });
}

async function confirmDeletion({ name, memories }: PersonOverview): Promise<boolean> {
  const message = `Permanently delete ${inert(name)} with ${count(memories, 'memory', 'memories')}? This cannot be undone.`;
  const answer = await confirm({ message, initialValue: false, output: process.stderr });
  return !isCancel(answer) && answer;
}
