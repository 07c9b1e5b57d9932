import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('CLI-12: the image runs as no special user, with one volume and a health check', async () => {
  const lines = (await read('Containerfile')).split('\n');
  const instruction = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  expect(['USER', 'VOLUME', 'STOPSIGNAL', 'ENTRYPOINT', 'CMD'].map(instruction)).toEqual([
    '65532:65532',
    '/data',
    'SIGTERM',
    '["recollect"]',
    '["serve"]',
  ]);
  expect(instruction('HEALTHCHECK')).toBeDefined();
  // The last stage runs no shell, which its base does not have.
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  expect(last.filter((line) => line.startsWith('RUN '))).toEqual([]);
});

test('CLI-12: in Kubernetes one server has the store, without rights that it does not need', async () => {
  const documents = parseAllDocuments(await read('deploy/kubernetes.yaml')).map((document) => document.toJS());
  const { spec } = documents.find(({ kind }) => kind === 'Deployment');
  expect([spec.replicas, spec.strategy.type]).toEqual([1, 'Recreate']);
  const [container] = spec.template.spec.containers;
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  for (const probe of ['startupProbe', 'livenessProbe'])
    expect(container[probe].httpGet).toMatchObject({ path: '/healthz', port: 4545 });
  expect(container.readinessProbe.httpGet).toMatchObject({ path: '/readyz', port: 4545 });
});

test('CLI-12: beside Caddy the server trusts the address of the proxy only', async () => {
  const { services } = parse(await read('deploy/compose.yaml'));
  const { RECOLLECT_TRUSTED_PROXIES: trusted } = services.recollect.environment;
  expect(services.caddy.networks.proxied.ipv4_address).toBe(trusted);
  expect(services.recollect).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  expect(services.recollect.ports).toBeUndefined();
});

test('CLI-14: with several servers, workers do the background work', async () => {
  const { services } = parse(await read('deploy/servers.yaml'), { merge: true });
  for (const name of ['server-1', 'server-2', 'worker'])
    expect(services[name].environment).toMatchObject({ RECOLLECT_RUNNERS: 'off', RECOLLECT_MODEL: 'english' });
  expect([services['server-1'].command, services.worker.command]).toEqual([undefined, 'work']);
  expect(services.worker.healthcheck).toEqual({ disable: true });
  const { RECOLLECT_TRUSTED_PROXIES: trusted } = services['server-2'].environment;
  expect(services.caddy.networks.proxied.ipv4_address).toBe(trusted);
});
