import { type Distribution, distributeStore, storeKindOf } from '@recollect/storage';
import { type Configuration, ConfigurationError } from '../config.js';
import { explain } from './refusals.js';

/** Distributes the store over a cluster. Throws ConfigurationError for a store in a file. */
export async function distributeDatabase({ databaseUrl, dataFolder }: Configuration): Promise<Distribution> {
  if (storeKindOf(databaseUrl) !== 'database')
    throw new ConfigurationError(
      'The store is a file of this machine. Move it into a database with recollect migrate first.',
    );
  return distributeStore(databaseUrl).catch((error) => {
    throw explain(error, dataFolder);
  });
}
