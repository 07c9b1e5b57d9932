import type { ModelState } from '@recollect/contract';
import type { ShippedModel } from '@recollect/contract/vocabulary';
import { RecollectError } from './error.js';
import type { CorePorts } from './ports/core-ports.js';

/** The choice of the embedding model, for the owner of a store. */
export interface Models {
  state(): ModelState;
  /**
   * Changes to another model that ships (IDX-6). `isChanging` is false if it is in use already. Throws MODEL_SET if a
   * setting decides, and NOT_FOUND if there is no choice, as for a store in memory.
   */
  choose(model: ShippedModel): Promise<{ state: ModelState; isChanging: boolean }>;
}

/** Makes the use cases of models. */
export function createModels({ modelCatalogue }: Pick<CorePorts, 'modelCatalogue'>): Models {
  const state = () => modelCatalogue?.state() ?? { model: null, next: null, setting: null, models: [] };
  return {
    state,
    async choose(model) {
      if (modelCatalogue === null) throw new RecollectError('NOT_FOUND', 'This store has no choice of models.');
      const { model: present, next, setting } = state();
      if (setting !== null) {
        const message = `${setting} is set and decides which model is used. Unset it, and start Recollect again.`;
        throw new RecollectError('MODEL_SET', message);
      }
      // Written down in any case: for the next start, the folder of another model may be.
      await modelCatalogue.choose(model);
      return { state: state(), isChanging: model !== (next ?? present) };
    },
  };
}
