/** Shifts the wall clock of a process by SHIFT_DAYS. The monotonic clock stays unchanged. Loaded with --import. */
const shift = Number(process.env.SHIFT_DAYS) * 86_400_000;
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) =>
    given.length === 0 ? new target(target.now() + shift) : Reflect.construct(target, given),
  get: (target, name) => (name === 'now' ? () => target.now() + shift : Reflect.get(target, name)),
});
