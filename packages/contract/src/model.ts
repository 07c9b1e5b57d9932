import Type, { type Static } from 'typebox';
import { OrNull } from './schema.js';
import { shippedModels } from './vocabulary.js';

const ShippedModelName = Type.Enum([...shippedModels]);

/** Which embedding model a store has, and which it can have. */
export const ModelState = Type.Object({
  /** The model that ships and is used. Null: another model is used, or none. */
  model: OrNull(ShippedModelName),
  /** The model that the service changes to, for which it starts again. Null if it does not change. */
  next: OrNull(ShippedModelName),
  /** The environment variable that decides. Null if the model can be chosen. */
  setting: OrNull(Type.String()),
  /** The models that ship. */
  models: Type.Array(
    Type.Object({
      name: ShippedModelName,
      /** The languages that it reads, by their tags, such as `de`. */
      languages: Type.Array(Type.String()),
    }),
  ),
});
export type ModelState = Static<typeof ModelState>;

export const ChooseModelBody = Type.Object({ model: ShippedModelName });
