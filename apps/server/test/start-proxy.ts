import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const proxyNames = ['nginx', 'caddy'] as const;
export type ProxyName = (typeof proxyNames)[number];

interface Ports {
  /** Where the proxy listens. */
  port: number;
  /** Where Recollect listens. */
  service: number;
}

interface Proxy {
  places: string[];
  /** The command's arguments, and a documented block with these ports and without a certificate. */
  prepare(block: string, folder: string, ports: Ports): { configuration: string; args: string[] };
}

const proxies: Record<ProxyName, Proxy> = {
  nginx: {
    places: ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'],
    prepare: (block, folder, { port, service }) => ({
      configuration: `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
        http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
        ${block
          .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
          .replace(/^\s*ssl_.*$/gm, '')
          .replace('127.0.0.1:4545', `127.0.0.1:${service}`)} }`,
      args: ['-c', join(folder, 'configuration'), '-p', folder, '-e', join(folder, 'error.log')],
    }),
  },
  caddy: {
    places: ['/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy'],
    prepare: (block, folder, { port, service }) => ({
      configuration: `{\n  admin off\n  auto_https off\n}\n${block
        .replace(/^[a-z.]+(?= \{$)/m, `http://:${port}`)
        .replace('127.0.0.1:4545', `127.0.0.1:${service}`)}`,
      args: ['run', '--config', join(folder, 'configuration'), '--adapter', 'caddyfile'],
    }),
  },
};

/** What docs/self-hosting.md shows for each proxy, in this order. */
const BLOCKS = ['at the root', 'keeping the path', 'removing the path'] as const;
export type Block = (typeof BLOCKS)[number];

/** A block of docs/self-hosting.md: the tests run the documented configuration. */
export function documentedBlock(name: ProxyName, block: Block): string {
  const page = readFileSync(new URL('../../../docs/self-hosting.md', import.meta.url), 'utf8');
  const blocks = Array.from(
    page.matchAll(new RegExp(`\`\`\`${name}\\n([\\s\\S]+?)\`\`\``, 'g')),
    ([, text = '']) => text,
  );
  const text = blocks[BLOCKS.indexOf(block)];
  if (text === undefined) throw new Error(`docs/self-hosting.md has no ${name} block ${block}.`);
  // This one shows only the line that differs.
  if (!text.startsWith('proxy_pass')) return text;
  return documentedBlock(name, 'keeping the path').replace(/proxy_pass .*/, text.trim());
}

const programOf = (name: ProxyName) => proxies[name].places.find((path) => existsSync(path));

export function hasProxy(name: ProxyName): boolean {
  return programOf(name) !== undefined;
}

export interface RunningProxy {
  /** Resolves when its process has ended, such as when another one has its port. */
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a proxy. It may not answer yet. */
export async function startProxy(name: ProxyName, block: string, ports: Ports): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-proxy-'));
  const { configuration, args } = proxies[name].prepare(block, folder, ports);
  await writeFile(join(folder, 'configuration'), configuration);
  const env = { HOME: folder, PATH: process.env.PATH };
  const proxy = spawn(programOf(name) ?? '', args, { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => proxy.once('exit', resolve));
  return {
    ended,
    async stop() {
      proxy.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
