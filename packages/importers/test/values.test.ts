import { expect, test } from 'vitest';
import { noteText } from '../src/to-capture.js';
import { instantOf } from '../src/values.js';

test.each([
  ['20240301', new Date(2024, 2, 1, 12).toISOString()],
  [20_240_301, new Date(2024, 2, 1, 12).toISOString()],
  ['20240301T101500Z', '2024-03-01T10:15:00.000Z'],
  ['20240301T1015+0200', '2024-03-01T08:15:00.000Z'],
  [20_240_301_101_500, new Date(2024, 2, 1, 10, 15).toISOString()],
  ['20241301', '1970-08-23T06:35:01.000Z'],
  [1_700_000_000, '2023-11-14T22:13:20.000Z'],
  ['1700000000000000', '2023-11-14T22:13:20.000Z'],
  ['20990301', undefined],
])('IMP-1: the time in %j', (value, time) => {
  expect(instantOf(value)).toBe(time);
});

test.each([
  ['Tea', 'Teapot\n\nBlue', '# Tea\n\nTeapot\n\nBlue'],
  ['Tea', 'Tea\n\nGreen', 'Tea\n\nGreen'],
  ['Tea', 'Tea', 'Tea'],
  ['Tea?', 'Tea?Yes', '# Tea?\n\nTea?Yes'],
  ['茶', '茶壺', '# 茶\n\n茶壺'],
  ['Cafe', 'Cafe\u0301 Paris', '# Cafe\n\nCafe\u0301 Paris'],
  ['', 'Tea', 'Tea'],
  ['Tea', '', '# Tea'],
])('IMP-4: the text of the note %j that begins with %j', (title, text, expected) => {
  expect(noteText(title, text)).toBe(expected);
});
