import { surfaces } from '@recollect/contract/vocabulary';
import type { Item } from '../state/library.js';

/** What a memory looks like in a list. */
export type Kind = 'chat' | 'quote' | 'code' | 'note' | 'page';

/** The names of files with programs. */
const PROGRAM =
  /\.(?:c|cc|cpp|cs|css|go|h|hpp|java|jl|js|jsx|kt|lua|mjs|php|pl|py|r|rb|rs|scala|sh|sql|swift|ts|tsx|zig)$/i;

/**
 * The kind of a memory, by its source and its name.
 *
 * @example
 * kindOf({ title: 'parse.ts', url: null, sourceType: 'file' }); // 'code'
 */
export function kindOf({
  title,
  url,
  sourceType,
  captureMode,
}: Pick<Item, 'title' | 'url' | 'sourceType' | 'captureMode'>): Kind {
  if ((surfaces as readonly string[]).includes(sourceType)) return 'chat';
  if (captureMode === 'selection' && url !== null) return 'quote';
  if (PROGRAM.test(title) || (url !== null && PROGRAM.test(url.split(/[?#]/, 1).join()))) return 'code';
  return url === null ? 'note' : 'page';
}
