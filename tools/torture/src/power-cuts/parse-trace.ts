import { dirname } from 'node:path';
import type { Operation } from './operation.js';

/** The system calls to record. */
export const CALLS =
  'openat,write,pwrite64,fsync,fdatasync,ftruncate,truncate,fallocate,rename,renameat,renameat2,unlink,unlinkat';

const STARTED = /^(\d+) +(\w+)\((.*?)(?: <unfinished \.\.\.>|\) += (-?\w+).*)$/s;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>.*\) += (-?\w+)/s;
const STRING = /"((?:\\x[0-9a-f]{2})*)"/g;

interface Call {
  name: string;
  given: string;
  began: number;
}

/**
 * Reads what a process did to a database, its WAL and its journal from a trace of `strace -f -y -xx`. A write counts
 * from its start, a sync from its end.
 *
 * @param database the path of the database
 */
export function parseTrace(text: string, database: string): Operation[] {
  const operations: Operation[] = [];
  const unfinished = new Map<string, Call>();
  const present = new Set<string>();
  const ours = [dirname(database), ...['', '-wal', '-shm', '-journal'].map((ending) => database + ending)];
  const isOurs = (file: string) => ours.includes(file);

  const begin = ({ name, given }: Call) => {
    const strings = [...given.matchAll(STRING)].map(([, hex = '']) => decode(hex));
    const [first = Buffer.alloc(0), second] = strings;
    const file = fileOf(given);
    if (name === 'write' && given.startsWith('1<')) {
      for (const line of first.toString().split('\n'))
        if (line !== '') operations.push({ kind: 'acknowledge', what: line });
    } else if (name === 'write' && isOurs(file)) {
      throw new Error(`${file} was written without a position, which this tool does not replay.`);
    } else if (name === 'pwrite64' && isOurs(file)) {
      const position = Number(given.slice(given.lastIndexOf(',') + 1));
      operations.push({ kind: 'write', file, position, data: first });
    } else if (name === 'ftruncate' && isOurs(file)) {
      operations.push({ kind: 'truncate', file, size: Number(given.slice(given.lastIndexOf(',') + 1)) });
    } else if (name.startsWith('unlink') && isOurs(first.toString())) {
      present.delete(first.toString());
      operations.push({ kind: 'unlink', file: first.toString() });
    } else if (name.startsWith('rename') && isOurs(first.toString()) && second !== undefined) {
      operations.push({ kind: 'rename', file: first.toString(), to: second.toString() });
    } else if (name === 'openat' && given.includes('O_CREAT') && isOurs(first.toString())) {
      const created = first.toString();
      if (!present.has(created)) operations.push({ kind: 'create', file: created });
      present.add(created);
    }
  };
  const end = ({ name, given, began }: Call, result: string) => {
    const file = fileOf(given);
    const isSync = name === 'fsync' || name === 'fdatasync';
    if (isSync && result === '0' && isOurs(file)) operations.push({ kind: 'sync', file, began });
  };

  for (const line of text.split('\n')) {
    const resumed = RESUMED.exec(line);
    if (resumed !== null) {
      const [, thread = '', , result = ''] = resumed;
      const call = unfinished.get(thread);
      unfinished.delete(thread);
      if (call !== undefined) end(call, result);
      continue;
    }
    const [, thread = '', name, given = '', result] = STARTED.exec(line) ?? [];
    if (name === undefined || result?.startsWith('-')) continue;
    const call = { name, given, began: operations.length };
    begin(call);
    if (result === undefined) unfinished.set(thread, call);
    else end(call, result);
  }
  return operations;
}

/** The path of a call's descriptor, which `-y` adds. */
function fileOf(given: string): string {
  const hex = /^\d+<((?:\\x[0-9a-f]{2})*)>/.exec(given)?.[1];
  return hex === undefined ? '' : decode(hex).toString();
}

function decode(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}
