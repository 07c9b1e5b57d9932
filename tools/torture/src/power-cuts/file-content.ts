/** The bytes of a file, changed in place. */
export interface FileContent {
  write(position: number, data: Buffer): void;
  truncate(size: number): void;
  copy(): FileContent;
  bytes(): Buffer;
}

export function createFileContent(initial: Buffer = Buffer.alloc(0)): FileContent {
  let buffer = Buffer.from(initial);
  let size = buffer.length;
  const resize = (wanted: number) => {
    if (wanted > buffer.length) {
      const grown = Buffer.alloc(Math.max(wanted, 2 * buffer.length));
      buffer.copy(grown, 0, 0, size);
      buffer = grown;
    }
    if (wanted < size) buffer.fill(0, wanted, size);
    size = wanted;
  };
  const bytes = () => buffer.subarray(0, size);
  return {
    write(position, data) {
      resize(Math.max(size, position + data.length));
      data.copy(buffer, position);
    },
    truncate: resize,
    copy: () => createFileContent(bytes()),
    bytes,
  };
}
