import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { count } from '@recollect/contract/text';
import { readConfiguration } from '../config.js';
import { inert, print, printFacts, style } from '../terminal/output.js';
import { version } from '../version.js';
import { withExecutor } from './command.js';

const NEXT = `
  recollect capture https://example.com/article   save a page
  recollect search "what was that about tea"      find it by meaning or by word
  recollect open                                  open the web app in your browser

All commands: recollect --help`;

/** What `recollect` prints without a command: the state, and what to type next. */
export async function overview(): Promise<void> {
  print(`${style('bold', 'Recollect')} ${version}`);
  printFacts(await readFacts());
  print(NEXT);
}

async function readFacts(): Promise<Record<string, string>> {
  const { dataFolder } = readConfiguration();
  // Looking does not create a store.
  if (!existsSync(join(dataFolder, 'recollect.db')))
    return { store: `${dataFolder}, which is still empty`, server: describeServer(null) };
  return withExecutor(async ({ call, server }) => {
    const { store, memories, model } = await call('status', {});
    return {
      store: `${inert(store.location ?? dataFolder)}, ${count(memories, 'memory', 'memories')}`,
      server: describeServer(server),
      model: model ?? 'none, search uses full text only',
      problem: store.problem?.message ?? '',
    };
  });
}

/** Whether a server runs on the store, in words. */
export function describeServer(server: string | null): string {
  return server === null ? 'not running; start it with: recollect serve' : `running at ${server}`;
}
