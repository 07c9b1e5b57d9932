import completion from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { addCapture } from './commands/capture.js';
import { addDelete } from './commands/delete.js';
import { addEdit } from './commands/edit.js';
import { addExtension } from './commands/extension.js';
import { addHighlights } from './commands/highlights.js';
import { addHistory } from './commands/history.js';
import { addKeys } from './commands/keys.js';
import { addMcp } from './commands/mcp/index.js';
import { addModel } from './commands/model.js';
import { addOpen } from './commands/open.js';
import { addPlugins } from './commands/plugins/index.js';
import { addRecent } from './commands/recent.js';
import { addReindex } from './commands/reindex.js';
import { addRelated } from './commands/related.js';
import { addRunDue } from './commands/run-due.js';
import { addRunIndexing } from './commands/run-indexing.js';
import { addSearch } from './commands/search.js';
import { addServe } from './commands/serve.js';
import { addShow } from './commands/show.js';
import { addStatus } from './commands/status.js';
import { addTags } from './commands/tags.js';
import { addTrash } from './commands/trash.js';
import { addUndelete } from './commands/undelete.js';
import { addUndo } from './commands/undo.js';
import { version } from './version.js';

const EXAMPLES = `
Examples:
  recollect capture https://example.com/article   save a page
  recollect search "what was that about tea"      find it by meaning
  recollect recent                                list the newest memories
  recollect tags rename recipe --to cooking       rename a tag; recollect undo takes it back
  recollect open                                  open the web app in your browser
  source <(recollect complete zsh)                shell completion (also bash, fish, powershell)

Settings are environment variables; docs/configuration.md lists them.`;

/** Creates the command line. Usage errors are thrown; the process does not exit. */
export function createProgram(): Command {
  const program = new Command('recollect')
    .description('A memory that you own: save pages, chats and notes, and find them by meaning or by word.')
    .version(version)
    // A command and its subcommands may have options of the same name, such as --json.
    .enablePositionalOptions()
    .showHelpAfterError('(recollect --help lists the commands)')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  const commands = [
    addServe,
    addOpen,
    addCapture,
    addSearch,
    addRecent,
    addShow,
    addRelated,
    addHistory,
    addEdit,
    addDelete,
    addUndo,
    addUndelete,
    addTrash,
    addTags,
    addHighlights,
    addStatus,
    addKeys,
    addExtension,
    addMcp,
    addPlugins,
    addRunDue,
    addReindex,
    addRunIndexing,
    addModel,
  ];
  for (const add of commands) add(program);
  completion(program);
  for (const command of program.commands) {
    command.showHelpAfterError(`(see recollect ${command.name()} --help)`);
    command.exitOverride();
    for (const nested of command.commands) {
      nested.exitOverride().showHelpAfterError(`(see recollect ${command.name()} ${nested.name()} --help)`);
    }
  }
  return program;
}
