import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage } from '@recollect/storage';

/** The texts of a store by memory id, as they were saved. */
export type Texts = Record<string, string>;

/** Makes a store with so many memories. Returns their texts. */
export async function makeStore(file: string, memories: number): Promise<Texts> {
  const storage = await openStorage({ url: `sqlite:${file}` });
  const { capture } = createCore(storage);
  const texts: Texts = {};
  for (let number = 0; number < memories; number++) {
    const text =
      `Memory ${number}. ${`Water for cup ${number} has ${number * 31} degrees. `.repeat(1 + number ** 2)}`.trim();
    const { answer } = await capture(LOCAL_USER, [{ pageText: text, tags: [`tag ${number}`], note: `note ${number}` }]);
    const [saved] = answer.captures;
    if (saved !== undefined) texts[saved.id] = text;
  }
  await storage.close();
  return texts;
}
