import type { RecollectError } from '@recollect/core';
import type { Recollect } from '../../compose/open-recollect.js';
import type { Executor } from '../../executor/executor.js';
import { withAdvice } from '../advice.js';
import { withExecutor, withRecollect } from '../command.js';

/** Has work on one plugin done by the running server, or in this process. Errors end with the command that helps. */
export async function withPlugin<T>(slug: string, work: (executor: Executor) => Promise<T>): Promise<T> {
  return withExecutor((executor) => withAdvice(work(executor), (error) => commandFor(error, slug)));
}

/** Does work on one plugin in this process, which reads its files or can be stopped while it runs. */
export async function withPluginHere<T>(
  slug: string,
  work: (recollect: Recollect) => Promise<T>,
  allow: readonly string[] = [],
): Promise<T> {
  return withRecollect((recollect) => withAdvice(work(recollect), (error) => commandFor(error, slug, allow)));
}

function commandFor({ code, extension }: RecollectError, slug: string, allow: readonly string[] = []): string | null {
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
      if (allow.length > 0)
        return `To grant it the permission: recollect plugins enable ${slug} --allow ${allow.join(',')}`;
      return `To replace a plugin of your own, run the command with --replace.`;
    default:
      return null;
  }
}
