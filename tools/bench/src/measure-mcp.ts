import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { cliProgram } from './cli-program.js';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { fill } from './fill.js';
import { openService } from './open-service.js';
import { quantile, time } from './statistics.js';

const MEMORIES = 10_000;
const CALLS = 220;

/**
 * Searches with the SDK's client over both transports, alternating with plain HTTP queries. Each query runs once.
 * Careful search is switched off: its time depends on the model.
 */
export async function measureMcp(): Promise<Figure[]> {
  const service = await openService({ withModel: true });
  const random = createRandom(3);
  const word = createWords(random);
  await fill(service, MEMORIES, random, word);

  const http = new Client({ name: 'bench', version: '1' });
  await http.connect(new StreamableHTTPClientTransport(new URL(`${service.address}/api/mcp`)) as never);
  const stdio = new Client({ name: 'bench', version: '1' });
  const env = { RECOLLECT_DATA_DIR: service.folder, RECOLLECT_CAREFUL: 'off' };
  await stdio.connect(new StdioClientTransport({ command: process.execPath, args: [cliProgram, 'mcp'], env }));
  const search = (client: Client, query: string) => client.callTool({ name: 'search', arguments: { query } });

  const times: Record<'plain' | 'http' | 'stdio', number[]> = { plain: [], http: [], stdio: [] };
  const ask = () => `${createText(word, 4 + (times.http.length % 6))}?`;
  while (times.http.length < CALLS) {
    times.plain.push(await time(() => service.client('query', { body: { query: ask() } })));
    times.http.push(await time(() => search(http, ask())));
    times.stdio.push(await time(() => search(stdio, ask())));
  }
  await Promise.all([http.close(), stdio.close()]);
  await service.close();

  const median = (values: readonly number[]) => quantile(values.slice(20), 0.5);
  const name = `search over MCP at ${MEMORIES.toLocaleString('en')} memories`;
  return [
    { name: `${name}, HTTP, p50`, value: median(times.http), unit: 'ms', limit: 30 },
    { name: `${name}, stdio, p50`, value: median(times.stdio), unit: 'ms', limit: 30 },
    {
      name: `${name}, HTTP, ratio to a query`,
      value: median(times.http) / median(times.plain),
      unit: 'times',
      limit: 1.15,
    },
  ];
}
