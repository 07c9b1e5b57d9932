/**
 * The oldest Node on which the database's native module runs. On an older one, loading it ends the process without a
 * message.
 */
const MIN_NODE = [22, 18] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
  throw new Error(
    `@recollect/storage needs Node ${MIN_NODE.join('.')} or later, but this is Node ${process.versions.node}.`,
  );
}
