import { Command, Option } from 'commander';
import type { AddCommand } from './commands/command.js';
import { workDirectly } from './config.js';
import { manualHelp } from './manual/format-help.js';
import { version } from './version.js';

/** Each command's module by its name, in the groups and the order of the help. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, () => Promise<AddCommand>>>>> = {
  'Everyday:': {
    capture: async () => (await import('./commands/capture.js')).addCapture,
    search: async () => (await import('./commands/search.js')).addSearch,
    recent: async () => (await import('./commands/recent.js')).addRecent,
    show: async () => (await import('./commands/show.js')).addShow,
    open: async () => (await import('./commands/open.js')).addOpen,
    edit: async () => (await import('./commands/edit.js')).addEdit,
    delete: async () => (await import('./commands/delete.js')).addDelete,
    undo: async () => (await import('./commands/history.js')).addUndo,
  },
  'Organise:': {
    tags: async () => (await import('./commands/tags.js')).addTags,
    highlights: async () => (await import('./commands/highlights.js')).addHighlights,
    review: async () => (await import('./commands/review.js')).addReview,
    searches: async () => (await import('./commands/searches.js')).addSearches,
    related: async () => (await import('./commands/related.js')).addRelated,
    history: async () => (await import('./commands/history.js')).addHistory,
    undelete: async () => (await import('./commands/trash.js')).addUndelete,
    trash: async () => (await import('./commands/trash.js')).addTrash,
  },
  'Import and export:': {
    import: async () => (await import('./commands/import.js')).addImport,
    export: async () => (await import('./commands/export.js')).addExport,
    watch: async () => (await import('./commands/watch.js')).addWatch,
    fetch: async () => (await import('./commands/fetch.js')).addFetch,
    backup: async () => (await import('./commands/backup.js')).addBackup,
    restore: async () => (await import('./commands/restore/index.js')).addRestore,
  },
  'Server:': {
    serve: async () => (await import('./commands/serve.js')).addServe,
    service: async () => (await import('./commands/system-service.js')).addService,
    status: async () => (await import('./commands/status.js')).addStatus,
    mcp: async () => (await import('./commands/mcp/index.js')).addMcp,
    extension: async () => (await import('./commands/extension.js')).addExtension,
    keys: async () => (await import('./commands/keys.js')).addKeys,
    people: async () => (await import('./commands/people.js')).addPeople,
    plugins: async () => (await import('./commands/plugins/index.js')).addPlugins,
    update: async () => (await import('./commands/update.js')).addUpdate,
  },
  'Advanced:': {
    doctor: async () => (await import('./commands/doctor/index.js')).addDoctor,
    model: async () => (await import('./commands/model.js')).addModel,
    reindex: async () => (await import('./commands/reindex.js')).addReindex,
    migrate: async () => (await import('./commands/migrate.js')).addMigrate,
    work: async () => (await import('./commands/work.js')).addWork,
    database: async () => (await import('./commands/database.js')).addDatabase,
    'jobs:run-indexing': async () => (await import('./commands/reindex.js')).addRunIndexing,
    'jobs:run-due': async () => (await import('./commands/run-due.js')).addRunDue,
    help: async () => (await import('./commands/help.js')).addHelp,
  },
};

/** Commands whose work a running server does. */
const SERVED: readonly string[] = [
  ...Object.keys(GROUPS['Everyday:'] ?? {}),
  ...Object.keys(GROUPS['Organise:'] ?? {}),
  ...['fetch', 'mcp', 'keys', 'people', 'plugins', 'status', 'model'],
];

/** Commands that always open the store, or never. */
const OPENING: readonly string[] = [
  'mcp install',
  'people invite',
  'people export',
  'plugins new',
  'plugins install',
  'plugins run',
];

/** The options that print the version, for which no command is loaded. */
const VERSION: readonly string[] = ['-V', '--version'];

/** Advice after an unknown option, by command. */
const ADVICE: Readonly<Record<string, string>> = {
  search: '; write -- before a query with a word that begins with a minus: recollect search -- -tag:done',
};

/**
 * Creates the command line for the given words. Only the command that they name is loaded, and all for what concerns
 * all, such as `help`. Usage errors are thrown; the process does not exit.
 */
export async function createProgram(words: readonly string[]): Promise<Command> {
  const program = new Command('recollect')
    .description('A memory that you own: save pages, chats and notes, and find them by meaning or by word.')
    .version(version)
    // A command and its subcommands may have options of the same name, such as --json.
    .enablePositionalOptions()
    .showHelpAfterError('(recollect --help lists the commands)')
    .configureHelp(manualHelp)
    .helpCommand(false)
    .exitOverride();
  const [word = ''] = words;
  if (VERSION.includes(word)) return program;
  const listed = Object.entries(GROUPS).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, load]) => ({ group, name, load })),
  );
  const named = word === 'help' ? [] : listed.filter(({ name }) => name === word);
  for (const { group, load } of named.length === 0 ? listed : named) {
    program.commandsGroup(group);
    (await load())(program);
  }
  if (named.length === 0) await (await import('./commands/complete.js')).addComplete(program, words);
  program.hook('preAction', (_, command) => {
    if (command.opts().direct) workDirectly();
  });
  for (const command of program.commands) {
    if (SERVED.includes(command.name())) addDirect(command);
    command.showHelpAfterError(`(see recollect ${command.name()} --help${ADVICE[command.name()] ?? ''})`);
    command.exitOverride();
    for (const nested of command.commands) {
      nested.exitOverride().showHelpAfterError(`(see recollect ${command.name()} ${nested.name()} --help)`);
    }
  }
  return program;
}

/** Adds the option that has a command, and those below it, open the store themselves. */
function addDirect(command: Command): void {
  command.addOption(new Option('--direct', 'open the store itself, even if a server runs'));
  for (const nested of command.commands) if (!OPENING.includes(`${command.name()} ${nested.name()}`)) addDirect(nested);
}
