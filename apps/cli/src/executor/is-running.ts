/** Whether a process exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists but belongs to another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
