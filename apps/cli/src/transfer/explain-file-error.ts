import { RecollectError } from '@recollect/core';

const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) => `There is not enough space for ${path}. Free some space, or choose another disk.`,
  EDQUOT: (path) => `Your quota does not allow ${path}. Free some space, or choose another disk.`,
  EACCES: (path) => `${path} cannot be used: permission denied.`,
  EPERM: (path) => `${path} cannot be used: permission denied.`,
  EIO: (path) => `${path} cannot be read or written: the disk reports an error.`,
  EROFS: (path) => `${path} is on a disk that is read-only.`,
  ENOENT: (path) => `${path} does not exist.`,
  ENOTDIR: (path) => `A part of ${path} is not a folder.`,
  ENXIO: (path) => `${path} is not a file.`,
  EISDIR: (path) => `${path} is a folder. Pass a file.`,
  EEXIST: (path) => `${path} exists already. Choose another name, or move it away first.`,
  ENAMETOOLONG: (path) => `${path} is too long for a name.`,
};

/** An error of the system about a file, as a sentence for the user. Any other error is returned unchanged. */
export function explainFileError(error: unknown, path: string): unknown {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const sentence = syscall === undefined ? undefined : SENTENCES[code]?.(path);
  return sentence === undefined ? error : new RecollectError('VALIDATION_FAILED', sentence, { cause: error });
}
