/** Whether a process exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another account exists, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
