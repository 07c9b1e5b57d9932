import { type Place, places, type ReadState, readStates } from '@recollect/contract/vocabulary';
import { Option } from 'commander';
import { readMemory, resolveMemoryId } from '../memory-references.js';

import { readText } from '../sources/read-source.js';
import { inert, print, printJson, style } from '../terminal/output.js';
import { shownId } from '../terminal/short-id.js';
import { undoAdvice } from './advice.js';
import { type AddCommand, addValue, InvalidOptionError, withExecutor } from './command.js';

interface Options {
  title?: string;
  tag?: string[];
  untag?: string[];
  note?: string;
  text?: string;
  star?: boolean;
  unstar?: boolean;
  mark?: ReadState;
  place?: Place;
  json?: boolean;
}

export const addEdit: AddCommand = (program) => {
  program
    .command('edit')
    .description('change the title, tags, note, text, star, read state or place of a memory')
    .argument('<id>', 'memory id, the beginning of one, or @1 for the first memory of the last list')
    .option('--title <text>', 'the new title')
    .option('--tag <tag>', 'a tag to add; repeat for several', addValue)
    .option('--untag <tag>', 'a tag to remove; repeat for several', addValue)
    .option('--note <text>', 'the new note; "" removes the note')
    .option('--text <file>', 'a file with the new text, or - for standard input')
    .option('--star', 'star it')
    .option('--unstar', 'remove the star')
    .addOption(new Option('--mark <state>', 'mark as unread, reading or read').choices([...readStates]))
    .addOption(new Option('--place <place>', 'move to the inbox, to later or to the archive').choices([...places]))
    .option('--json', 'print JSON')
    .action(edit);
};

async function edit(typed: string, options: Options): Promise<void> {
  const { title, tag = [], untag = [], note, text: source, star, unstar, mark: readState, place, json } = options;
  if (star && unstar) throw new InvalidOptionError('Pass --star or --unstar, not both.');
  const starred = star ? true : unstar ? false : undefined;
  if (
    [title, note, source, starred, readState, place].every((value) => value === undefined) &&
    tag.length + untag.length === 0
  ) {
    throw new InvalidOptionError(
      'Nothing to change. Pass --title, --tag, --untag, --note, --text, --star, --unstar, --mark or --place.',
    );
  }
  await withExecutor(async ({ call, embed }) => {
    const id = await resolveMemoryId(call, typed);
    await readMemory(call, id);
    const text = source === undefined ? undefined : await readText(source);
    const isTagged = tag.length + untag.length > 0;
    const tags = isTagged ? { addTags: tag, removeTags: untag } : {};
    const memory = await call('updateMemory', {
      parameters: { id },
      body: { title, note, text, starred, readState, place, ...tags },
    });
    if (memory.embedding.state === 'pending') await embed({ isQuiet: json === true });
    if (json) return printJson(memory);
    const name = `${style('bold', inert(memory.title))} ${style('dim', shownId(id))}`;
    if (memory.changeId === null) return print(`Nothing was changed: ${name} already has these values.`);
    print(`${style('green', 'Changed')} ${name}`);
    if (isTagged) print(memory.tags.length === 0 ? 'It has no tags.' : `Tags: ${inert(memory.tags.join(', '))}`);
    print(undoAdvice(memory.changeId));
  });
}
