import { describe, expect, test } from 'vitest';
import { readShared } from '../src/save-page/read-shared.js';

const query = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`;

describe('content that another app shares', () => {
  test('an address in its own field, or within the text, as Android sends it', () => {
    const expected = { title: 'Tea', url: 'https://a.example/tea?q=1', text: 'Look at this:' };
    expect(readShared(query({ title: 'Tea', text: 'Look at this:', url: 'https://a.example/tea?q=1' }))).toEqual(
      expected,
    );
    expect(readShared(query({ title: 'Tea', text: 'Look at this: https://a.example/tea?q=1' }))).toEqual(expected);
  });

  test('a bare link is saved under its title, or else its address', () => {
    expect(readShared(query({ title: 'Tea', text: 'https://a.example/' }))).toMatchObject({ text: 'Tea' });
    expect(readShared(query({ url: 'https://a.example/' }))).toMatchObject({ text: 'https://a.example/' });
  });

  test('a text without an address becomes a note', () => {
    expect(readShared(query({ text: ' Buy tea ' }))).toEqual({ title: '', url: null, text: 'Buy tea' });
    expect(readShared(query({ text: 'javascript:alert(1)' }))).toMatchObject({ url: null });
  });

  test('nothing is saved when nothing was shared', () => {
    for (const search of ['', '?', '?title=&text=+', '?q=tea']) expect(readShared(search)).toBeNull();
  });
});
