import { ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { BlockList, isIP, isIPv6, Socket } from 'node:net';
import { getSystemErrorMap } from 'node:util';
import type { Worker } from 'node:worker_threads';

/** A native handle class: instances get their methods from its prototype, which each context has once. */
type Prototype = Record<string, unknown>;

/** Addresses of this machine, where the service treats a program without credentials as its owner. */
const OWN_MACHINE = new BlockList();
OWN_MACHINE.addSubnet('127.0.0.0', 8, 'ipv4');
OWN_MACHINE.addSubnet('0.0.0.0', 8, 'ipv4');
OWN_MACHINE.addAddress('::1', 'ipv6');
OWN_MACHINE.addAddress('::', 'ipv6');

/** libuv's code for a forbidden operation. Node reports it like other network errors. */
const [EACCES = -13] = [...getSystemErrorMap()].find(([, [name]]) => name === 'EACCES') ?? [];

/** Replaces a function by one that throws. It cannot be put back. Does nothing if the function does not exist. */
export function refuse(target: object | undefined, name: string, owner: string): void {
  if (target === undefined || !(name in target)) return;
  replace(target, name, () => {
    throw new Error(`${owner}.${name} is not available to plugins.`);
  });
}

function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: false, writable: false });
}

function fail(handle: Prototype, name: string): void {
  replace(handle, name, () => EACCES);
}

function failLookup(...given: unknown[]): Promise<never> | undefined {
  const error = Object.assign(new Error('Names are not resolved for plugins without the permission network.'), {
    code: 'EACCES',
  });
  const callback = given.at(-1);
  if (typeof callback !== 'function') return Promise.reject(error);
  process.nextTick(callback, error);
  return undefined;
}

/**
 * Disables the native functions that open sockets and start processes. All of Node's modules call these prototypes, so
 * the way in which code reached a module does not matter. With the network, TCP connections to other machines and name
 * lookups still work.
 */
export function disarm(channel: Socket, hasNetwork: boolean): void {
  const { tcp, pipe, udp, resolver, child } = handles(channel);
  for (const name of ['open', 'bind', 'bind6', 'listen']) fail(tcp, name);
  for (const name of ['connect', 'connect6']) hasNetwork ? failForOwnMachine(tcp, name) : fail(tcp, name);
  for (const name of ['open', 'bind', 'listen', 'connect', 'fchmod']) fail(pipe, name);
  for (const name of ['open', 'bind', 'bind6', 'connect', 'connect6', 'send', 'send6']) fail(udp, name);
  fail(child, 'spawn');
  if (hasNetwork) return;
  // A lookup carries data out, to the name's own server.
  for (const name of Object.getOwnPropertyNames(resolver).filter((key) => /^(?:query|getHost)/.test(key))) {
    fail(resolver, name);
  }
  for (const target of [dns, dns.promises] as object[]) {
    for (const name of Object.keys(target).filter((key) => /^(?:lookup|resolve|reverse)/.test(key))) {
      replace(target, name, failLookup);
    }
  }
}

/** Keeps further threads from starting: Node's permission model does not apply to them. */
export function disarmThreads(worker: Worker): void {
  for (const key of Object.getOwnPropertySymbols(worker)) {
    const handle = (worker as unknown as Record<symbol, unknown>)[key];
    const prototype = typeof handle === 'object' && handle !== null ? Object.getPrototypeOf(handle) : null;
    if (prototype !== null && Object.hasOwn(prototype, 'startThread'))
      refuse(prototype, 'startThread', 'worker_threads');
  }
}

/** The prototypes of the native handles, taken from instances that open nothing. The channel is a pipe already. */
function handles(channel: Socket) {
  const child = new ChildProcess();
  const datagrams = createSocket('udp4');
  const socket = new Socket();
  socket.on('error', () => {});
  // Node makes the handle at once, and connects in a later turn.
  socket.connect({ host: '127.0.0.1', port: 9 });
  const prototypes = {
    tcp: prototypeOf(socket),
    pipe: prototypeOf(channel),
    udp: prototypeOf(datagrams),
    resolver: prototypeOf(new dns.Resolver()),
    child: prototypeOf(child),
  };
  socket.destroy();
  datagrams.close();
  return prototypes;
}

function prototypeOf(owner: object): Prototype {
  return Object.getPrototypeOf((owner as { _handle: object })._handle);
}

/** The functions get the request, the address and the port. Names are resolved by then. */
function failForOwnMachine(tcp: Prototype, name: string): void {
  const connect = tcp[name] as (this: unknown, request: unknown, address: string, ...more: unknown[]) => number;
  replace(tcp, name, function (this: unknown, request: unknown, given: unknown, ...more: unknown[]): number {
    const address = String(given);
    const isOwnMachine = !isIP(address) || OWN_MACHINE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
    return isOwnMachine ? EACCES : Reflect.apply(connect, this, [request, address, ...more]);
  });
}
