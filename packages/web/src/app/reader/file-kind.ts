import type { MemoryDetail } from '@recollect/contract';

const KINDS: Readonly<Record<string, string>> = {
  md: 'Markdown file',
  markdown: 'Markdown file',
  txt: 'Text file',
  html: 'HTML file',
  htm: 'HTML file',
};

/** The kind of file that a memory was read from, such as `PDF file`; null if it is not from a file. */
export function fileKind({ sourceType, metadata }: Pick<MemoryDetail, 'sourceType' | 'metadata'>): string | null {
  if (sourceType !== 'file') return null;
  const extension = /\.(\w{1,8})$/.exec(String(metadata.fileName))?.[1];
  if (extension === undefined) return 'File';
  return KINDS[extension.toLowerCase()] ?? `${extension.toUpperCase()} file`;
}
