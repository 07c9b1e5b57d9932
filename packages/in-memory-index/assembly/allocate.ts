import { TOP, WASTE } from './layout';

/** Allocates bytes at the end of the memory. Returns 0 if the memory cannot grow. */
export function allocate(bytes: usize): usize {
  const address: usize = load<u32>(TOP);
  const end = <u64>address + <u64>((bytes + 15) & ~15);
  const size = (<u64>memory.size()) << 16;
  if (end > size) {
    const pages = <i32>((end - size + 65535) >> 16);
    if (memory.grow(pages) < 0) return 0;
  }
  if (end > 0xffff0000) return 0;
  store<u32>(TOP, <u32>end);
  return address;
}

/** Adds to the number of wasted bytes. */
export function waste(bytes: usize): void {
  store<u32>(WASTE, load<u32>(WASTE) + <u32>((bytes + 15) & ~15));
}
