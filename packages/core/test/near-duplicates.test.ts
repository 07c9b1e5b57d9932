import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findNearDuplicate, resemblance, toPassage } from '../src/text/near-duplicates.js';

const words = fc.array(fc.constantFrom('tea', 'steep', 'water', 'hot', 'cup', 'leaf', 'green'), { maxLength: 30 });
const text = words.map((some) => some.join(' '));

test('QRY-16: the resemblance of texts is symmetric, from 0 to 1, and 1 for the same words', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(resemblance(a, b)).toBe(resemblance(b, a));
      expect(resemblance(a, b)).toBeGreaterThanOrEqual(0);
      expect(resemblance(a, b)).toBeLessThanOrEqual(1);
      expect(resemblance(a, `${a.toUpperCase()}!`)).toBe(1);
    }),
  );
});

test('QRY-16: whole texts decide, and are read only for passages that are alike', async () => {
  const story = Array.from({ length: 60 }, (_, at) => `word${at}`);
  const read: string[] = [];
  const passageOf = (name: string, chunk: string, whole = chunk) =>
    toPassage(chunk, async () => {
      read.push(name);
      return whole;
    });
  const original = passageOf('original', story.join(' '));
  const changed = passageOf('changed', story.with(30, 'other').join(' '));
  const quoting = passageOf(
    'quoting',
    story.join(' '),
    `${story.join(' ')} ${'and much more of its own '.repeat(3)} ${story.map((word) => `x${word}`).join(' ')}`,
  );
  const different = passageOf('different', story.map((word) => `y${word}`).join(' '));
  expect(await findNearDuplicate(changed, [different, original])).toBe(1);
  expect(await findNearDuplicate(quoting, [different, original])).toBe(-1);
  expect(await findNearDuplicate(different, [original, changed])).toBe(-1);
  expect(read.toSorted()).toEqual(['changed', 'original', 'quoting']);
  // Short texts are alike by chance.
  expect(
    await findNearDuplicate(passageOf('a', 'Thanks, see you then!'), [passageOf('b', 'Thanks, see you then!')]),
  ).toBe(-1);
});

test.each([
  [
    'Japanese',
    '紅茶は沸騰したお湯で三分ほど蒸らすと香りがよく出る。緑茶は少し冷ましたお湯を使い、一分だけ待ってから静かに注ぐ。',
  ],
  [
    'Chinese',
    '紅茶要用剛煮沸的水沖泡三分鐘，香氣才會完全釋放。綠茶則要先把水放涼一些，只泡一分鐘，然後慢慢倒進杯子裡。',
  ],
  ['Thai', 'ชาดำควรชงด้วยน้ำเดือดประมาณสามนาทีจึงจะมีกลิ่นหอม ส่วนชาเขียวควรใช้น้ำที่เย็นลงเล็กน้อยและรอเพียงหนึ่งนาที'],
])('QRY-16: nearly the same texts are found in %s, which has no spaces between words', async (_, story) => {
  const passageOf = (text: string) => toPassage(text, async () => text);
  const other = [...story].reverse().join('');
  expect(await findNearDuplicate(passageOf(`${story}終`), [passageOf(other), passageOf(story)])).toBe(1);
  expect(resemblance(story, other)).toBeLessThan(0.3);
});
