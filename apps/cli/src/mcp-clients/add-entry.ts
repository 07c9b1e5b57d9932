import { isDeepStrictEqual } from 'node:util';
import jsonc, { type FormattingOptions, type ParseError } from 'jsonc-parser';
import { type Launch, type McpClient, SERVER_NAME } from './clients.js';

/** A client's file that cannot be edited. The message says why; nothing was changed. */
export class UneditableError extends Error {
  override readonly name = 'UneditableError';
}

/**
 * Adds the server to the text of a client's file. Everything else stays unchanged: other servers, comments, the order,
 * and unknown fields of the server's own entry. Throws {@link UneditableError}.
 */
export function addEntry(text: string, client: McpClient, launch: Launch): string {
  const bom = text.startsWith('\ufeff') ? '\ufeff' : '';
  const present = text.slice(bom.length).trim() === '' ? '{}\n' : text.slice(bom.length);
  const root = read(present);
  const { section } = client;
  const servers = root[section] ?? {};
  if (!isObject(servers)) throw new UneditableError(`its ${section} is not an object`);
  const existing = servers[SERVER_NAME];
  const entry = isObject(existing) ? merge(existing, client.entry(launch), launch) : client.entry(launch);
  if (JSON.stringify(entry) === JSON.stringify(existing)) return text;

  const set = createSet(present);
  const after =
    root[section] === null
      ? set(present, [section], { [SERVER_NAME]: entry })
      : isObject(existing)
        ? setFields(set, present, [section, SERVER_NAME], existing, entry)
        : set(present, [section, SERVER_NAME], entry);
  // A duplicate key is read at its last position but edited at its first.
  const edited = { ...root, [section]: { ...servers, [SERVER_NAME]: entry } };
  if (!isDeepStrictEqual(read(after), edited)) throw new UneditableError('it has a duplicate key');
  return bom + after;
}

function read(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const root: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new UneditableError('it is not valid JSON');
  if (!isObject(root)) throw new UneditableError('it is not a JSON object');
  return root;
}

const REMOTE = ['type', 'url', 'serverUrl', 'headers'];

/** Merges our entry over the present one. */
function merge(
  existing: Record<string, unknown>,
  wanted: Record<string, unknown>,
  launch: Launch,
): Record<string, unknown> {
  // The fields of a remote server would conflict with the fields of a local one.
  const isRemote = 'url' in existing || 'serverUrl' in existing;
  const kept = Object.fromEntries(Object.entries(existing).filter(([name]) => !isRemote || !REMOTE.includes(name)));
  const { env: present } = existing;
  const env = Object.entries({ ...(isObject(present) ? present : {}), ...launch.env }).filter(
    ([, value]) => value !== null,
  );
  const merged = { ...kept, ...wanted };
  delete merged.env;
  return env.length === 0 ? merged : { ...merged, env: Object.fromEntries(env) };
}

type SetValue = (text: string, path: string[], value: unknown) => string;

/** Edits a text in its own format. A single line stays a single line, unless the object is empty. */
function createSet(text: string): SetValue {
  const formattingOptions = /^\{\s*\}$/.test(text.trim()) || text.trim().includes('\n') ? formatOf(text) : undefined;
  return (whole, path, value) =>
    jsonc.applyEdits(
      whole,
      // Insert before all siblings: after another one, it would reformat that and take over its trailing comment.
      jsonc.modify(whole, path, value, {
        getInsertionIndex: () => 0,
        // jsonc-parser does not accept undefined.
        ...(formattingOptions && { formattingOptions }),
      }),
    );
}

/** Changes the fields that differ, one by one, so that the comments between them stay. */
function setFields(
  set: SetValue,
  text: string,
  at: string[],
  existing: Record<string, unknown>,
  entry: Record<string, unknown>,
): string {
  const names = new Set([...Object.keys(existing), ...Object.keys(entry)]);
  return [...names].reduce((whole, name) => {
    const [present, wanted] = [existing[name], entry[name]];
    if (isDeepStrictEqual(present, wanted)) return whole;
    if (isObject(present) && isObject(wanted)) return setFields(set, whole, [...at, name], present, wanted);
    return set(whole, [...at, name], wanted);
  }, text);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Detects a text's indentation and line endings. */
function formatOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
