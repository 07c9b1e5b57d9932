import { createModels, type ModelCatalogue } from '@recollect/core';
import { expect, test } from 'vitest';

function catalogueWith(
  given: Partial<ReturnType<ModelCatalogue['state']>> = {},
): ModelCatalogue & { chosen: string[] } {
  const chosen: string[] = [];
  return {
    chosen,
    state: () => ({ model: 'english', next: null, setting: null, models: [], ...given }),
    choose: async (model) => void chosen.push(model),
  };
}

test('IDX-6: saves each choice, and changes the model unless it is in use or being changed to', async () => {
  const catalogue = catalogueWith();
  const models = createModels({ modelCatalogue: catalogue });
  expect((await models.choose('english')).isChanging).toBe(false);
  expect((await models.choose('multilingual')).isChanging).toBe(true);
  expect(catalogue.chosen).toEqual(['english', 'multilingual']);
  const changing = catalogueWith({ next: 'multilingual' });
  const meanwhile = createModels({ modelCatalogue: changing });
  expect((await meanwhile.choose('multilingual')).isChanging).toBe(false);
  expect((await meanwhile.choose('english')).isChanging).toBe(true);
  expect(changing.chosen).toEqual(['multilingual', 'english']);
});

test('IDX-6: no model is chosen where a setting decides, or there is no choice', async () => {
  const catalogue = catalogueWith({ setting: 'RECOLLECT_MODEL' });
  const set = createModels({ modelCatalogue: catalogue });
  await expect(set.choose('multilingual')).rejects.toMatchObject({
    code: 'MODEL_SET',
    message: expect.stringMatching(/^RECOLLECT_MODEL is set and decides/),
  });
  expect(catalogue.chosen).toEqual([]);
  const none = createModels({ modelCatalogue: null });
  expect(none.state()).toEqual({ model: null, next: null, setting: null, models: [] });
  await expect(none.choose('english')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
