import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinTurns } from '../src/drafts/content.js';
import { splitTurns } from '../src/text/turns.js';

const role = fc.stringMatching(/^[^\n:\0]{1,64}$/u);
const turn = fc.record({ role, text: fc.string({ unit: 'binary' }) });
const render = (turns: readonly { role: string; text: string }[]) => turns.map(({ role, text }) => `${role}: ${text}`);
/** Where each turn starts, found without the code under test. */
const startsOf = (texts: readonly string[]) => texts.map((_, at) => texts.slice(0, at).join('..').length + (at && 2));

describe('splitTurns', () => {
  test('MEM-9: splitting joined turns gives the turns', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 8 }), (turns) => {
        const texts = render(turns);
        expect(splitTurns(joinTurns(texts), startsOf(texts))).toEqual(turns);
      }),
    );
  });

  test('MEM-9: texts without a role keep words that look like a role', () => {
    for (const text of ['https://a.example', '12:30 is late', 'a\nb: c', `${'x'.repeat(65)}: y`, ': y', ''])
      expect(splitTurns(text, [0])).toEqual([{ role: '', text }]);
  });

  test('MEM-9: without stored starts, finds turns by the roles that chats use', () => {
    const text = 'Exported talk\n\nuser: Hello\n\nNote: not a turn\n\nChatGPT: Hi\n\nassistant:no\n\nTOOL: 42\n';
    expect(splitTurns(text, null)).toEqual([
      { role: '', text: 'Exported talk' },
      { role: 'user', text: 'Hello\n\nNote: not a turn' },
      { role: 'ChatGPT', text: 'Hi\n\nassistant:no' },
      { role: 'TOOL', text: '42\n' },
    ]);
    expect(splitTurns('user: a', null)).toEqual([{ role: 'user', text: 'a' }]);
  });
});
