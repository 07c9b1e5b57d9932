import jsonc, { type FormattingOptions, type ParseError } from 'jsonc-parser';
import { type Launch, type McpClient, SERVER_NAME } from './clients.js';

/** A file of a client that cannot be edited; the message says why. Nothing was changed. */
export class UneditableError extends Error {
  override readonly name = 'UneditableError';
}

/**
 * The text of a client's file with the server in it. All else stays as it is: other servers, comments, the order, and fields of
 * the server's own entry that are unknown here. Throws {@link UneditableError}.
 */
export function addEntry(text: string, { section, entry }: McpClient, launch: Launch): string {
  const present = text.replace(/^\ufeff/, '').trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const root: unknown = jsonc.parse(present, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(root)) throw new UneditableError('it is not valid JSON');
  const servers = root[section] ?? {};
  if (!isObject(servers)) throw new UneditableError(`its ${section} is no object`);

  const formattingOptions = formatOf(present);
  const set = (whole: string, path: string[], value: unknown) =>
    // First among its siblings: behind another one it would reformat that, and take over the comment behind it.
    jsonc.applyEdits(whole, jsonc.modify(whole, path, value, { formattingOptions, getInsertionIndex: () => 0 }));
  const at = [section, SERVER_NAME];
  const wanted: Record<string, unknown> = entry(launch);
  const own = servers[SERVER_NAME];
  if (!isObject(own)) return set(present, at, wanted);
  const { env = {}, ...rest } = wanted;
  // Of a server that is reached by its address, which would be in the way.
  const fields = { ...rest, url: undefined };
  const withFields = Object.entries(fields).reduce((whole, [key, value]) => {
    const isSame = JSON.stringify(own[key]) === JSON.stringify(value);
    return isSame ? whole : set(whole, [...at, key], value);
  }, present);
  return Object.entries(env as Record<string, string>).reduce(
    (whole, [key, value]) =>
      isObject(own.env) && own.env[key] === value ? whole : set(whole, [...at, 'env', key], value),
    withFields,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How a text is indented and ends its lines. */
function formatOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
