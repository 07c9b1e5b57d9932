import { expect, test } from 'vitest';
import { createFormFinder, markMatches, procliticForms, withoutProclitics } from '../src/text/index.js';

test('QRY-13: a word of Arabic or Hebrew may begin with an article, a preposition and "and"', () => {
  expect(withoutProclitics('المكتبة')).toEqual(['مكتبة']);
  for (const word of ['والمكتبة', 'بالمكتبة', 'فالمكتبة', 'كالمكتبة', 'للمكتبة', 'ومكتبة', 'بمكتبة', 'وبالمكتبة'])
    expect(withoutProclitics(word), word).toContain('مكتبة');
  for (const word of ['הספר', 'וספר', 'בספר', 'כספר', 'לספר', 'מספר', 'שספר', 'והספר', 'שהספר', 'ובספר', 'כשהספר'])
    expect(withoutProclitics(word), word).toContain('ספר');
  expect([withoutProclitics('tea'), withoutProclitics('ولد'), withoutProclitics('של'), procliticForms('tea')]).toEqual([
    [],
    [],
    [],
    [],
  ]);
});

test('QRY-13: forms with proclitics are marked for a word without, and the other way round', () => {
  const marked = (text: string, query: string) =>
    markMatches(text, query).flatMap(({ text: part, isMatch }) => (isMatch ? [part] : []));
  expect(marked('تقع المكتبة في المدينة', 'مكتبة')).toEqual(['المكتبة']);
  expect(marked('هذه مكتبة قديمة', 'المكتبة')).toEqual(['مكتبة']);
  expect(marked('קראתי את הספר בבית', 'ספר')).toEqual(['הספר']);
  expect(marked('קראתי ספר', 'והספר')).toEqual(['ספר']);
  expect(createFormFinder([], 'מכת')('המכתב')).toBe('מכת');
});
