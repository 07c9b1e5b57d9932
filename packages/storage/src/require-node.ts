/**
 * The oldest Node on which the database's native module runs. On an older one, loading it ends the process without a
 * message.
 */
const OLDEST = [22, 18] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  throw new Error(
    `@recollect/storage needs Node ${OLDEST.join('.')} or later, but this is Node ${process.versions.node}.`,
  );
}
