import type { MemoryPatch } from '@recollect/contract';
import { LOCAL_USER, RecollectError } from '@recollect/core';
import { readText } from '../read-source.js';
import { embedRest } from '../run-indexing.js';
import { inert, print, printJson, style } from '../terminal/output.js';
import { adviseMemoryId, undoAdvice, withAdvice } from './advice.js';
import { type AddCommand, addValue, COMMAND_LINE, InvalidOptionError, withRecollect } from './command.js';

interface Options {
  title?: string;
  tag?: string[];
  untag?: string[];
  note?: string;
  text?: string;
  json?: boolean;
}

export const addEdit: AddCommand = (program) => {
  program
    .command('edit')
    .description('change the title, tags, note or text of a memory')
    .argument('<id>', 'memory id, as printed by search and recent')
    .option('--title <text>', 'the new title')
    .option('--tag <tag>', 'a tag to add; repeat for several', addValue)
    .option('--untag <tag>', 'a tag to remove; repeat for several', addValue)
    .option('--note <text>', 'the new note; "" removes the note')
    .option('--text <file>', 'a file with the new text, or - for standard input')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  recollect edit 019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f --title "Green tea" --tag kitchen --untag todo\n  recollect edit 019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f --note ""\n  recollect edit 019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f --text corrected.md',
    )
    .action(edit);
};

async function edit(id: string, options: Options): Promise<void> {
  const { title, tag = [], untag = [], note, text: source, json } = options;
  if ([title, note, source].every((value) => value === undefined) && tag.length + untag.length === 0) {
    throw new InvalidOptionError('Nothing to change. Pass --title, --tag, --untag, --note or --text.');
  }
  await withRecollect(async (recollect) => {
    const { memories } = recollect.core;
    await withAdvice(memories.get(LOCAL_USER, id), adviseMemoryId);
    const text = source === undefined ? undefined : await readText(source);
    const isTagged = tag.length + untag.length > 0;
    await check({ title, note, text, tags: tag });
    const tags = isTagged ? { addTags: tag, removeTags: untag } : {};
    const edit = { title, note, text, ...tags };
    const memory = await memories.update(LOCAL_USER, id, edit, COMMAND_LINE);
    if (memory.embedding.state === 'pending') await embedRest(recollect, json === true);
    if (json) return printJson(memory);
    const name = `${style('bold', inert(memory.title))} ${style('dim', id)}`;
    if (memory.changeId === null) return print(`Nothing was changed: ${name} already has these values.`);
    print(`${style('green', 'Changed')} ${name}`);
    if (isTagged) print(memory.tags.length === 0 ? 'It has no tags.' : `Tags: ${inert(memory.tags.join(', '))}`);
    print(undoAdvice(memory.changeId));
  });
}

/** Throws VALIDATION_FAILED, as the server does, for what is too long. */
async function check(patch: MemoryPatch): Promise<void> {
  const { MemoryPatch: schema, validate } = await import('@recollect/contract');
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const [fault] = validate(schema, given);
  if (fault !== undefined) throw new RecollectError('VALIDATION_FAILED', `${fault.pointer.slice(1)} ${fault.message}.`);
}
