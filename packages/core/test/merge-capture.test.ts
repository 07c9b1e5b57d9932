import { limits } from '@recollect/contract/limits';
import { tagKey } from '@recollect/contract/text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeMetadata, mergeNotes, mergeTags } from '../src/drafts/merge-capture.js';

const note = fc.string({ minLength: 1 }).filter((text) => text.trim() === text);
const tags = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 50, selector: tagKey });
const keysOf = (list: readonly string[]) => new Set(list.map(tagKey));

describe('mergeNotes', () => {
  test('CAP-7: keeps each note whole and does not add one that is already there', () => {
    expect(mergeNotes('Bobsled', 'Bob')).toBe('Bobsled\n\nBob');
    expect(mergeNotes('Bobsled\n\nBob', 'Bob')).toBe('Bobsled\n\nBob');
    expect(mergeNotes(null, 'Bob')).toBe('Bob');
    expect(mergeNotes('Bob', null)).toBe('Bob');
    fc.assert(
      fc.property(fc.array(note, { maxLength: 6 }), (notes) => {
        const merge = (before: string | null) => notes.reduce<string | null>(mergeNotes, before);
        const merged = merge(null);
        for (const each of notes) expect(`\n\n${merged}\n\n`).toContain(`\n\n${each}\n\n`);
        expect(merge(merged)).toBe(merged);
      }),
    );
  });

  test('CAP-7: rejects notes that are too long together', () => {
    expect(() => mergeNotes('a'.repeat(15_000), 'b'.repeat(15_000))).toThrow(
      /30002 characters.*20000.*Nothing was changed/,
    );
  });
});

describe('mergeTags', () => {
  test('CAP-7: keeps all tags once, with the present ones first and in order', () => {
    fc.assert(
      fc.property(tags, tags, (present, added) => {
        const merged = mergeTags(present, added);
        expect(merged.slice(0, present.length)).toEqual(present);
        expect(keysOf(merged)).toEqual(keysOf([...present, ...added]));
        expect(merged.length).toBe(keysOf(merged).size);
      }),
    );
  });

  test('CAP-7: rejects more tags than a memory may have', () => {
    const many = (letter: string) => Array.from({ length: limits.capture.tags }, (_, at) => `${letter}${at}`);
    expect(() => mergeTags(many('a'), ['b'])).toThrow(/101 tags.*may have 100/);
    expect(mergeTags(many('a'), ['a5'])).toEqual(many('a'));
  });
});

describe('mergeMetadata', () => {
  test('CAP-13: adds fields until the metadata is too large', () => {
    expect(mergeMetadata({ a: 1, b: 2 }, { b: 3, c: 4 })).toEqual({ a: 1, b: 3, c: 4 });
    const large = { a: 'x'.repeat(40_000) };
    expect(() => mergeMetadata(large, { b: 'x'.repeat(40_000) })).toThrow(/larger than 64 KiB.*Nothing was changed/);
    expect(mergeMetadata(large, { a: 'y' })).toEqual({ a: 'y' });
  });
});
