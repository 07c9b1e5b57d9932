import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage } from '@recollect/storage';

/**
 * Adds memories with these numbers to a store. Of ten, one is edited, one has highlights, one is in the trash, and one
 * is a conversation that has grown, so that every table has rows.
 */
export async function fillStore(file: string, { from, to }: { from: number; to: number }): Promise<void> {
  const storage = await openStorage({ url: `sqlite:${file}` });
  try {
    const { capture, memories, highlights } = createCore(storage);
    const save = async (captured: object) => (await capture(LOCAL_USER, [captured])).answer.captures[0]?.id ?? '';
    for (let number = from; number < to; number++) {
      const sentence = `Water for cup ${number} has ${number * 31} degrees.`;
      const id = await save({
        pageText: `Memory ${number}. ${`${sentence} `.repeat(1 + number ** 2)}`.trim(),
        tags: [`tag ${number}`],
        note: `note ${number}`,
      });
      if (number % 10 === 2)
        await memories.update(LOCAL_USER, id, { text: `Short ${number}.`, title: `Title ${number}` });
      if (number % 10 === 4) {
        await highlights.create(LOCAL_USER, id, { quote: sentence, note: `why ${number}` });
        await highlights.create(LOCAL_USER, id, { quote: `Memory ${number}` });
      }
      if (number % 10 === 6) await memories.remove(LOCAL_USER, id);
      if (number % 10 === 8) {
        const url = `https://chatgpt.com/c/${number}`;
        const messages = [`How hot is cup ${number}?`, sentence, 'And the next?'].map((text) => ({
          role: 'user',
          text,
        }));
        await save({ url, messages: messages.slice(0, 2) });
        await save({ url, messages });
      }
    }
  } finally {
    await storage.close();
  }
}
