import { checkDefinition } from '../check-definition.js';
import type { PluginDefinition } from '../define-plugin.js';
import { describeDefinition } from '../describe-definition.js';
import { judgeConfiguration } from '../judge-configuration.js';
import type { FromChild, ToChild } from '../messages.js';
import { confine } from './confine.js';
import { createContext, createLine, type Line } from './create-context.js';
import { watchProcess } from './watch-process.js';

// The process of one plugin: it loads the plugin's code once, and then answers one call at a time.

const post = process.send?.bind(process);
const exit = process.exit.bind(process);
const send = (message: FromChild) => void post?.(message);
/** Says why, and ends. */
const end = (message: Extract<FromChild, { type: 'crashed' }>) => post?.(message, () => exit(1));

let plugin: PluginDefinition | null = null;
let current: { line: Line; abort: AbortController } | null = null;

/** An error as its author wants to see it: the message, and where it came from. */
function explain(error: unknown): { summary: string; details: string[] } {
  if (!(error instanceof Error)) return { summary: `It threw: ${String(error)}`, details: [] };
  const trace = (error.stack ?? '').split('\n').slice(1, 6);
  return { summary: `It threw: ${error.message}`, details: trace.map((line) => line.trim()) };
}

async function load({ entry, hasNetwork, libraries }: Extract<ToChild, { type: 'load' }>): Promise<void> {
  confine(hasNetwork, libraries);
  try {
    const { default: exported } = await import(entry);
    const errors = checkDefinition(exported);
    if (errors.length > 0) {
      const told = errors.map(
        ({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.') || 'its default export'} ${message}`,
      );
      return send({ type: 'refused', reason: `It is not what definePlugin makes: ${told.join('; ')}.`, errors });
    }
    const loaded = exported as PluginDefinition;
    plugin = loaded;
    send({ type: 'loaded', manifest: describeDefinition(loaded) });
  } catch (error) {
    const { summary, details } = explain(error);
    send({
      type: 'refused',
      reason: [`Its code does not load. ${summary}`, ...details.slice(0, 1)].join(' '),
      errors: [],
    });
  }
}

async function call({ call: wanted, configuration: given }: Extract<ToChild, { type: 'call' }>): Promise<void> {
  if (plugin === null) return;
  const judged = judgeConfiguration(plugin.configuration, given);
  if (judged.kind === 'invalid') {
    const told = judged.errors.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`).join('; ');
    const summary = `Its configuration does not fit its schema: ${told}. recollect plugins configure ${plugin.slug} mends it.`;
    return send({ type: 'failed', summary, details: [] });
  }
  const abort = new AbortController();
  const line = createLine(send);
  const context = createContext(judged.configuration, line, abort.signal, (text) => send({ type: 'log', line: text }));
  current = { line, abort };
  try {
    const result =
      wanted.kind === 'job'
        ? await plugin.jobs?.[wanted.jobId]?.run(context)
        : await plugin.onCapture?.(wanted.event, context);
    send({ type: 'done', ...toReport(result) });
  } catch (error) {
    send({ type: 'failed', ...explain(error) });
  } finally {
    line.end();
    current = null;
  }
}

function toReport(result: unknown): Omit<Extract<FromChild, { type: 'done' }>, 'type'> {
  if (typeof result === 'string') return { status: 'success', summary: result, details: [] };
  const { status, summary, details } = (typeof result === 'object' && result !== null ? result : {}) as {
    [key: string]: unknown;
  };
  return {
    status: status === 'warning' ? 'warning' : 'success',
    summary: typeof summary === 'string' && summary.trim() !== '' ? summary : 'Done.',
    details: Array.isArray(details) ? details.map(String) : [],
  };
}

process.on('message', (message: ToChild) => {
  switch (message.type) {
    case 'load':
      return void load(message);
    case 'judge':
      return send({ type: 'judged', judgement: judgeConfiguration(plugin?.configuration, message.configuration) });
    case 'call':
      return void call(message);
    case 'abort':
      return current?.abort.abort();
    case 'answer':
      return current?.line.answer(message);
  }
});
process.on('disconnect', () => exit(0));
process.on('uncaughtException', (error) => {
  const { summary, details } = explain(error);
  end({ type: 'crashed', summary: summary.replace('It threw:', 'Nothing caught what it threw:'), details });
});

// The terminal sends these to all of its processes; when to end is its host's to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
watchProcess(Number(process.argv[2]) * 1024 * 1024);
send({ type: 'ready' });
