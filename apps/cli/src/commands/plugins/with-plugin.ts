import type { RecollectError } from '@recollect/core';
import type { Recollect } from '../../compose.js';
import { withAdvice } from '../advice.js';
import { withRecollect } from '../command.js';

/** Runs work on one plugin. Errors end with the command that helps. */
export async function withPlugin<T>(slug: string, work: (recollect: Recollect) => Promise<T>): Promise<T> {
  return withRecollect((recollect) => withAdvice(work(recollect), (error) => commandFor(error, slug)));
}

function commandFor({ code, extension }: RecollectError, slug: string): string | null {
  switch (code) {
    case 'NOT_FOUND':
      return 'recollect plugins list shows the plugins and their jobs.';
    case 'PLUGIN_NOT_INSTALLED':
      return `Run: recollect plugins install ${slug}`;
    case 'PLUGIN_DISABLED':
    case 'PLUGIN_SUSPENDED':
      return `Run: recollect plugins enable ${slug}`;
    case 'PERMISSION_NEEDED':
      return `Run: recollect plugins enable ${slug} --allow ${String(extension.permissions)}`;
    case 'PLUGIN_INSTALLED':
      return `To replace a plugin of your own, run the command with --replace.`;
    default:
      return null;
  }
}
