import { type Answer, isOk, type Send } from '../send.js';
import { writeQuestion, writeText } from '../write-text.js';
import type { Kind } from './kind.js';

/** Calls a tool. A tool that fails says so in a successful response, which counts as an error here. */
async function call(send: Send, name: string, given: object): Promise<Answer> {
  const headers = { accept: 'application/json, text/event-stream' };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  const answer = await send('POST', '/api/mcp', body, headers);
  const result = answer.body?.result;
  return result?.isError ? { status: 500, body: { code: result.content[0]?.text } } : answer;
}

const search: Kind = {
  name: 'assistant searches',
  weight: 2,
  run: ({ send }) => call(send, 'search', { query: writeQuestion() }),
};

const save: Kind = {
  name: 'assistant saves',
  weight: 1,
  async run({ send, ledger }) {
    const text = writeText();
    const answer = await call(send, 'save', { text });
    const id = isOk(answer) ? answer.body.result?.structuredContent?.id : null;
    if (typeof id === 'string') ledger.add({ id, kind: 'note', url: null, contents: [text] });
    return answer;
  },
};

export const assistants: readonly Kind[] = [search, save];
