/** Describes an error for the plugin's author: the message, and the stack frames in the plugin's own files. */
export function explainError(error: unknown, home: string): { summary: string; details: string[] } {
  if (!(error instanceof Error)) return { summary: `It threw: ${String(error)}`, details: [] };
  const own = (error.stack ?? '').split('\n').filter((line) => home !== '' && line.includes(home));
  return {
    summary: `It threw: ${error.message}`,
    details: own.slice(0, 5).map((line) => line.replace(home, '').trim()),
  };
}
