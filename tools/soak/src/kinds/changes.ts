import { randomUUID } from 'node:crypto';
import type { Entry } from '../ledger.js';
import { type Answer, isOk } from '../send.js';
import { writeText } from '../write-text.js';
import type { Context, Kind } from './kind.js';

/** Runs a change of a memory while no other request changes that memory. */
async function change(
  { ledger }: Context,
  state: 'live' | 'trash',
  kind: Entry['kind'] | undefined,
  work: (entry: Entry) => Promise<Answer>,
): Promise<Answer | null> {
  const entry = ledger.choose(state, kind);
  if (entry === undefined) return null;
  entry.isBusy = true;
  try {
    return await work(entry);
  } finally {
    entry.isBusy = false;
  }
}

const edit: Kind = {
  name: 'edit a text',
  weight: 2,
  run: (context) =>
    change(context, 'live', 'note', async (entry) => {
      const text = writeText();
      const former = entry.contents;
      entry.contents = [...former, text];
      const answer = await context.send('PATCH', `/api/v1/memories/${entry.id}`, { text });
      if (isOk(answer)) entry.contents = [text];
      return answer;
    }),
};

const tag: Kind = {
  name: 'change tags of many',
  weight: 1,
  async run(context) {
    const entries = Array.from({ length: 5 }, () => context.ledger.choose('live')).filter(
      (entry) => entry !== undefined,
    );
    const chosen = [...new Set(entries)];
    if (chosen.length === 0) return null;
    for (const entry of chosen) entry.isBusy = true;
    const name = `soak ${Math.floor(Math.random() * 20)}`;
    const body = { ids: chosen.map(({ id }) => id), addTags: [name] };
    const answer = await context.send('POST', '/api/v1/memories/change', body);
    if (isOk(answer)) for (const entry of chosen) entry.tags.add(name);
    for (const entry of chosen) entry.isBusy = false;
    return answer;
  },
};

/** A kind that moves a memory between the list and the trash. */
function move(name: string, weight: number, from: 'live' | 'trash', to: 'live' | 'trash'): Kind {
  return {
    name,
    weight,
    run: (context) =>
      change(context, from, undefined, async (entry) => {
        entry.states = [from, to];
        const path = `/api/v1/memories/${entry.id}`;
        const answer =
          to === 'trash' ? await context.send('DELETE', path) : await context.send('POST', `${path}/restore`);
        if (isOk(answer)) entry.states = [to];
        return answer;
      }),
  };
}

const highlight: Kind = {
  name: 'highlight',
  weight: 2,
  run: (context) =>
    change(context, 'live', 'page', async (entry) => {
      const body = { quote: 'a passage', note: randomUUID() };
      const answer = await context.send('POST', `/api/v1/memories/${entry.id}/highlights`, body);
      if (isOk(answer)) entry.highlights.add(answer.body.id);
      return answer;
    }),
};

export const changes: readonly Kind[] = [
  edit,
  tag,
  move('delete', 2, 'live', 'trash'),
  move('restore', 1, 'trash', 'live'),
  highlight,
];
