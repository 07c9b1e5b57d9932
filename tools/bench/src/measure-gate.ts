import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Operation, operations } from '@recollect/contract';
import { type Core, createApiKey, LOCAL_USER } from '@recollect/core';
import { defaultPolicy } from '@recollect/server/access-policy';
import { addGate } from '@recollect/server/gate';
import { type FastifyInstance, fastify } from 'fastify';
import type { Figure } from './figure.js';
import { openService } from './open-service.js';
import { quantile, time } from './statistics.js';

const KEYS = 10_000;
const REQUESTS = 3_000;

/** Measures looking up a key among many, and what the gate adds to a request that does nothing else. */
export async function measureGate(): Promise<Figure[]> {
  const service = await openService({ withModel: false });
  const { apiKeys } = service.core;
  const issued: { key: string; id: string }[] = [];
  for (let at = 0; at < KEYS; at += 500) {
    const made = await Promise.all(Array.from({ length: 500 }, () => apiKeys.create(LOCAL_USER)));
    issued.push(...made.map(({ key, apiKey }) => ({ key, id: apiKey.id })));
  }
  // Lookups must stay fast beside revoked and listed keys.
  for (const { id } of issued.slice(0, KEYS / 10)) await apiKeys.revoke(LOCAL_USER, id);
  const list = await time(() => apiKeys.list(LOCAL_USER));

  const lookups: number[] = [];
  for (let at = 0; at < 2_000; at++) {
    const key = at % 4 === 0 ? createApiKey() : (issued[(at * 37) % KEYS]?.key ?? '');
    lookups.push(await time(() => apiKeys.authenticate(key)));
  }
  const { without, withKey } = await compare(service.core, issued.at(-1)?.key ?? '');
  await service.close();
  return [
    { name: 'lookup of one of 10,000 API keys, p50', value: quantile(lookups, 0.5), unit: 'ms', limit: 2 },
    { name: 'lookup of one of 10,000 API keys, p99', value: quantile(lookups, 0.99), unit: 'ms', limit: 2 },
    { name: 'listing 9,000 API keys', value: list, unit: 'ms', limit: 500 },
    { name: 'gate overhead without an API key, median', value: without, unit: 'ms', limit: 0.2 },
    { name: 'gate overhead with one of 10,000 API keys, median', value: withKey, unit: 'ms', limit: 0.2 },
  ];
}

/** Sends requests to one route with and without the gate, alternating, and subtracts the medians. */
async function compare(core: Core, key: string): Promise<{ without: number; withKey: number }> {
  const [bare, gated] = [fastify(), fastify()];
  addGate(gated, { ...defaultPolicy, limitsRequests: true }, core);
  const ports = await Promise.all([bare, gated].map(listen));
  const [barePort = 0, gatedPort = 0] = ports;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const cases = [
    { port: barePort, headers: {}, times: [] as number[] },
    { port: gatedPort, headers: {}, times: [] as number[] },
    { port: barePort, headers: { authorization: `Bearer ${key}` }, times: [] as number[] },
    { port: gatedPort, headers: { authorization: `Bearer ${key}` }, times: [] as number[] },
  ];
  for (let at = 0; at < REQUESTS; at++) {
    for (const { port, headers, times } of cases) times.push(await time(() => ask(agent, port, headers)));
  }
  agent.destroy();
  await Promise.all([bare.close(), gated.close()]);
  const [a = 0, b = 0, c = 0, d = 0] = cases.map(({ times }) => quantile(times.slice(REQUESTS / 10), 0.5));
  return { without: b - a, withKey: d - c };
}

async function listen(app: FastifyInstance): Promise<number> {
  const operation: Operation = operations.listMemories;
  app.get(operation.path, { config: { operation } }, async () => ({ memories: [] }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

function ask(agent: Agent, port: number, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '/api/v1/memories', agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The gate answered ${response.statusCode}.`));
      response.resume().on('end', resolve);
    });
    request.on('error', reject);
  });
}
