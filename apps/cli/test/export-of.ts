const AT = '2026-01-31T12:00:00.000Z';

/** An export with so many memories. */
export function exportOf(memories: number): string {
  const lines: object[] = [{ recollect: 'export', schema: 1, program: '0.1.0', exportedAt: AT }];
  for (let at = 0; at < memories; at++) {
    lines.push({
      id: `019f0c1e-7d3a-7000-8a51-${String(at).padStart(12, '0')}`,
      title: `Memory ${at}`,
      text: `The text of memory ${at} is about tea, and long enough to be worth its while. `.repeat(1 + (at % 40)),
      turns: null,
      url: `https://site.example/${at}`,
      sourceType: 'url',
      sourceApp: 'web',
      captureMode: 'page',
      tags: [`t${at % 5}`],
      note: null,
      metadata: {},
      page: {},
      savedBy: null,
      capturedAt: AT,
      lastCapturedAt: AT,
      updatedAt: AT,
      deletedAt: at % 50 === 49 ? AT : null,
      highlights: [],
      history: [],
    });
  }
  lines.push({ recollect: 'end', memories });
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}
