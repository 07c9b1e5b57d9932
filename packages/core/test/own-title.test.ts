import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownTitle } from '../src/drafts/title.js';

const BOOK = ['Hello - The Lamp Language', 'Traits - The Lamp Language', 'What is a wick? - The Lamp Language'];

describe('CAP-20: the own title of a page', () => {
  test.each([
    ['Ownership - The Lamp Language', BOOK, 'Ownership'],
    ['Lighting (Lamp Manual)', ['Oil (Lamp Manual)', 'Wicks (Lamp Manual)'], 'Lighting'],
    ['Lamp :: Manual :: Oil', ['Lamp :: Manual :: Wicks', 'Lamp :: Manual :: Glass'], 'Oil'],
    ['Oil | Guide | Lamps', ['Wicks | Guide | Lamps', 'Glass | Guide | Lamps'], 'Oil'],
    // Two systems of one program.
    ['Install - Linux - Lamp', ['Use - Linux - Lamp', 'Remove - Linux - Lamp', 'Use - Mac - Lamp'], 'Install - Linux'],
    // One other title is chance.
    ['Ownership - The Lamp Language', BOOK.slice(0, 1), 'Ownership - The Lamp Language'],
    // The same page, saved three times.
    ['Oil - Lamps', ['Oil - Lamps', 'Oil - Lamps'], 'Oil - Lamps'],
    ['Tea - a short history', BOOK, 'Tea - a short history'],
    ['Oil – lamps', [], 'Oil – lamps'],
  ])('of %j', (title, others, expected) => {
    expect(ownTitle(title, others)).toBe(expected);
  });

  const word = fc.constantFrom('oil', 'wick', 'Glas', '灯', '7', '(a)', '-', '|', '', ' ');
  const anyTitle = fc
    .array(word, { minLength: 1, maxLength: 8 })
    .map((words) => words.join(' ').trim())
    .filter((title) => /[\p{L}\p{N}]/u.test(title));

  test('is never empty, and is a part of the title', () => {
    fc.assert(
      fc.property(anyTitle, fc.array(anyTitle, { maxLength: 12 }), (title, others) => {
        const own = ownTitle(title, others);
        expect(own).toMatch(/[\p{L}\p{N}]/u);
        expect(title).toContain(own);
      }),
    );
  });

  test('lacks only parts that at least two other titles have', () => {
    fc.assert(
      fc.property(anyTitle, fc.array(anyTitle, { maxLength: 12 }), (title, others) => {
        const own = ownTitle(title, others);
        if (own === title) return;
        const at = title.startsWith(own) ? own.length : 0;
        const removed = at === 0 ? title.slice(0, title.length - own.length) : title.slice(at);
        const sharing = others.filter((other) => other !== title && other.includes(removed.trim()));
        expect(new Set(sharing).size).toBeGreaterThanOrEqual(2);
      }),
    );
  });
});
