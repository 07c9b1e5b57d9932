import type { FieldError } from '@recollect/contract';

/** The options that set the fields of a request. */
const OPTIONS: Readonly<Record<string, string>> = {
  title: '--title',
  url: '--url',
  note: '--note',
  text: '--text',
  pageText: '--text',
  tags: '--tag',
  addTags: '--tag',
  removeTags: '--untag',
};

/** Describes the error of a field in terms of command-line options. */
export function describeFault({ pointer, message }: FieldError): string {
  const [, field = ''] = pointer.split('/');
  return `${OPTIONS[field] ?? pointer.slice(1)} ${message}.`;
}
