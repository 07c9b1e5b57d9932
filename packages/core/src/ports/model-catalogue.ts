import type { ModelState } from '@recollect/contract';
import type { ShippedModel } from '@recollect/contract/vocabulary';

/** The embedding models that ship, and the choice of one of them for a store. */
export interface ModelCatalogue {
  state(): ModelState;
  /** Writes down the choice, and has the service start again if it does not use this model. */
  choose(model: ShippedModel): Promise<void>;
}
