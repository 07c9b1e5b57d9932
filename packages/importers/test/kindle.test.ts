import { describe, expect, test } from 'vitest';
import { clippingDate } from '../src/clipping-date.js';
import { capturesOf, read } from './read.js';

const clipping = (place: string, text: string) => `Tea (Ann)\n${place}\n\n${text}\n==========\n`;
const local = (...[year, month, ...rest]: [number, number, number, number, number, number]) =>
  new Date(year, month - 1, ...rest).toISOString();

describe('IMP-4: the time of a clipping', () => {
  test.each([
    ['Adicionado: sábado, 2 de fevereiro de 2019 21h05min07s GMT-03:00', '2019-02-03T00:05:07.000Z'],
    ['Ajouté le vendredi 1er mars 2019 21 h 05 min 07 s GMT+02:00', '2019-03-01T19:05:07.000Z'],
    ['Hinzugefügt am Montag, 4. März 2019 09:05:07 MEZ', '2019-03-04T08:05:07.000Z'],
    ['Añadido el lunes, 4 de marzo de 2019 9:05:07 p. m. UTC−5', '2019-03-05T02:05:07.000Z'],
    ['Added on Monday, March 4, 2019 9:05:07 PM PST', '2019-03-05T05:05:07.000Z'],
    ['Added on Monday, March 4, 2019 9:05:07 AM +0530', '2019-03-04T03:35:07.000Z'],
    ['Toegevoegd op 4 maart 2019 12:00:00 UTC', '2019-03-04T12:00:00.000Z'],
  ])('with its zone: %s', (added, time) => {
    expect(clippingDate(`Place 1 | ${added}`)).toBe(time);
  });

  const evening = local(2019, 3, 4, 21, 5, 7);
  test.each([
    ['添加于 2019年3月4日星期一 下午9:05:07', evening],
    ['添加于 2019年3月4日星期一晚上9:05:07', evening],
    ['新增於 2019年3月4日 星期一 下午 09:05:07', evening],
    ['添加于 2019年3月4日星期一 中午12:05:07', local(2019, 3, 4, 12, 5, 7)],
    ['添加于 2019年3月4日星期一 凌晨12:05:07', local(2019, 3, 4, 0, 5, 7)],
    ['作成日: 2019年3月4日月曜日 午後9:05:07', evening],
    ['作成日: 2019年3月4日月曜日 21時05分07秒', evening],
    ['2019년 3월 4일 월요일 오후 9:05:07에 추가됨', evening],
    ['2019년 3월 4일 월요일 오후 9시 05분 07초', evening],
    ['Añadido el lunes, 4 de marzo de 2019 9:05:07 p. m.', evening],
    ['Añadido el lunes, 4 de marzo de 2019 12:05:07 a.\u00a0m.', local(2019, 3, 4, 0, 5, 7)],
    ['Aggiunto in data lunedì 4 marzo 2019 9:05:07 PM', evening],
    ['Toegevoegd op maandag 4 maart 2019 9:05:07 p.m.', evening],
    ['Добавлено: Monday, March 4, 2019 в 9:05:07\u202fPM', evening],
    ['Добавлено: понедельник, 4 марта 2019 г. в 21:05:07', evening],
    ['Added on Monday, 4 March, 2019 9:05:07 pm', evening],
    ['Added on Monday, 4 March 19 at home', undefined],
    ['Προστέθηκε στις Δευτέρα, 4 Μαρτίου 2019 9:05:07 μ.μ.', evening],
    ['4 मार्च 2019 सोमवार 9:05:07 अपराह्न', evening],
    ['तारीख ४ मार्च २०१९ ९:०५:०७ अपराह्न', evening],
    ['تمت الإضافة في ٤ مارس ٢٠١٩ ٩:٠٥:٠٧ م', evening],
    ['4 Mart 2019 Pazartesi ÖS 9:05:07', evening],
    ['Tilføjet mandag den 4. marts 2019 kl. 21.05.07', evening],
    ['Lisätty 4. maaliskuuta 2019 klo 21.05.07', evening],
    ['Tillagd 4.3.2019 21:05:07', evening],
    ['Ajouté le lundi 4 mars 2019 à 21:05:07', evening],
    ['Hinzugefügt am Montag, 4. März 2019 um 21:05:07 Uhr', evening],
  ])('in the words of the device: %s', (added, time) => {
    expect(clippingDate(`Place 1 | ${added}`)).toBe(time);
  });

  test('is unknown if the day or the month is', () => {
    expect(clippingDate('Place 1 | Added on Monday, Brumaire 4, 2019 9:05:07 PM')).toBeUndefined();
    expect(clippingDate('Place 1 | Added on 9:05:07 PM')).toBeUndefined();
  });
});

test.each([
  [
    '- 7ページ|位置No. 96-98のハイライト |作成日: 2019年3月4日 9:05:07',
    '- 7ページ|位置No. 98のメモ |作成日: 2019年3月4日 9:06:07',
  ],
  [
    '- 您在第 7 页（位置 #96-98）的标注 | 添加于 2019年3月4日 上午9:05:07',
    '- 您在第 7 页（位置 #98）的笔记 | 添加于 2019年3月4日 上午9:06:07',
  ],
  [
    '– Ваш выделенный отрывок в месте 96–98 | Добавлено: 4 марта 2019 г.',
    '– Ваша заметка в месте 98 | Добавлено: 4 марта 2019 г.',
  ],
  [
    '- Je highlight op locatie 96 t/m 98 | Toegevoegd op 4 maart 2019',
    '- Je notitie op locatie 97 | Toegevoegd op 4 maart 2019',
  ],
  [
    '- Seu destaque na página xiv | posição 96-98 | Adicionado: 4 de março de 2019',
    '- Sua nota na página xiv | posição 98 | Adicionado: 4 de março de 2019',
  ],
  [
    '-  La tua evidenziazione alla posizione 96-98 | Aggiunto 4 marzo 2019',
    '-  La tua nota alla posizione 98 | Aggiunto 4 marzo 2019',
  ],
  ['- 7페이지|위치 96-98의 하이라이트 | 2019년 3월 4일', '- 7페이지|위치 98의 메모 | 2019년 3월 4일'],
])('IMP-4: a note of Kindle belongs to its highlight: %s', (highlight, note) => {
  const { program, items } = read('My Clippings.txt', clipping(highlight, 'Steep it.') + clipping(note, 'Shorter'));
  expect(program).toBe('Kindle');
  expect(capturesOf(items)).toMatchObject([{ selection: 'Steep it.\n\n— Tea, Ann', note: 'Shorter' }]);
  expect(capturesOf(items)[0]?.capturedAt).toContain('2019-03-04');
});
