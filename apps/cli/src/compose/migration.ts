import { dialectOf, type Moved, type MoveOptions, moveStore, openSource, openTarget } from '@recollect/storage';
import { type Configuration, ConfigurationError } from '../config.js';
import { explain } from './refusals.js';

/** Moves a store to another URL. Throws with the option of the store that cannot be used. */
export async function migrateStore(
  { dataFolder, allowsNetworkStore }: Configuration,
  { from, to }: { from: string; to: string },
  options: MoveOptions,
): Promise<Moved> {
  const connecting = { readers: 0, allowsNetwork: allowsNetworkStore };
  const refuse = (name: string) => (error: unknown) => {
    const explained = explain(error, dataFolder);
    throw explained instanceof ConfigurationError ? new ConfigurationError(`${name}: ${explained.message}`) : explained;
  };
  const source = await openSource(dialectOf(from), from, connecting).catch(refuse('--from'));
  try {
    const target = await openTarget(dialectOf(to), to, connecting).catch(refuse('--to'));
    try {
      return await moveStore(source, target, options).catch(refuse('--to'));
    } finally {
      await target.store.close();
    }
  } finally {
    await source.store.close();
  }
}
