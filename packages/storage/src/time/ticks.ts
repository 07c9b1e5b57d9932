/** Milliseconds by a clock that only goes forward and that all processes of the machine share. */
export type Ticks = () => number;

/**
 * The machine's own such clock. It stands still while the machine sleeps and begins anew when it starts, so an instant in
 * its future is of an earlier start.
 */
export const machineTicks: Ticks = () => Number(process.hrtime.bigint() / 1_000_000n);
