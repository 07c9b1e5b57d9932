import type { ExportReader } from '@recollect/core';

/** Reads what other programs have exported, in any encoding. The importers are loaded for the first file that may be an export. */
export const exportReader: ExportReader = {
  programs: async () => (await load()).programs(),
  async *read(path, options) {
    yield* (await load()).read(path, options);
  },
};

async function load(): Promise<ExportReader> {
  const [{ createExportReader }, { decodeText }] = await Promise.all([
    import('@recollect/importers'),
    import('@recollect/importers/decode-text'),
  ]);
  return createExportReader({ decode: (bytes) => decodeText(bytes) });
}
