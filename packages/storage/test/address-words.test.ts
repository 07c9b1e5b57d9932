import { expect, test } from 'vitest';
import { addressWords } from '../src/indexing/index-rows.js';

test.each([
  ['https://www.lwn.net/Articles/123456/', 'lwn net Articles 123456'],
  ['https://simonwillison.net/2024/Mar/5/prompt-injection/', 'simonwillison net 2024 Mar prompt injection'],
  ['https://github.com/asg017/sqlite-vec/blob/main/README.md', 'github com asg017 sqlite vec blob main README md'],
  ['https://news.ycombinator.com/item?id=41234567', 'news ycombinator com item'],
  ['https://chatgpt.com/c/6a7b8c9d-1234-4e5f-8a9b-0c1d2e3f4a5b', 'chatgpt com c'],
  ['https://youtu.be/dQw4w9WgXcQ', 'youtu be'],
  ['https://de.wikipedia.org/wiki/Stra%C3%9Fe', 'de wikipedia org wiki Straße'],
  ['https://example.co.uk/tea/index.html#top', 'example co uk tea'],
  ['http://localhost:3000/notes', 'localhost notes'],
  ['https://www.bücher.example/', 'bücher example'],
  ['https://1000awesomethings.example/7/', '1000awesomethings example'],
  ['http://192.168.1.20/router.php', 'router'],
  ['http://[::1]:8080/', ''],
  ['https://x.test/%E0%A4%A/caf%E9', 'x test A caf'],
  ['file:///home/ann/tea.html', 'home ann tea'],
  ['no address', ''],
])('QRY-20: the words of %s', (address, words) => {
  expect(addressWords(address)).toBe(words);
});

test('QRY-20: a long address is read up to a limit, without half a character at its end', () => {
  expect(addressWords(`https://x.test/${'%E6%9D%B1'.repeat(1_000)}`)).toMatch(/^x test 東+$/);
});
