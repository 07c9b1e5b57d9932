/** An error as its author wants to see it: the message, and the lines of the plugin's own files that it came from. */
export function explainError(error: unknown, home: string): { summary: string; details: string[] } {
  if (!(error instanceof Error)) return { summary: `It threw: ${String(error)}`, details: [] };
  const own = (error.stack ?? '').split('\n').filter((line) => home !== '' && line.includes(home));
  return {
    summary: `It threw: ${error.message}`,
    details: own.slice(0, 5).map((line) => line.replace(home, '').trim()),
  };
}
