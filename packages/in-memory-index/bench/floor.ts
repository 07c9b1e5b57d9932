/** The sum of bytes: the minimum cost of reading them. */
export function sum(start: usize, bytes: usize): u32 {
  let total = i32x4.splat(0);
  for (let at = start, end = start + bytes; at < end; at += 32) {
    const one = i16x8.extadd_pairwise_i8x16_u(v128.load(at));
    const two = i16x8.extadd_pairwise_i8x16_u(v128.load(at, 16));
    total = i32x4.add(total, i32x4.extadd_pairwise_i16x8_u(i16x8.add(one, two)));
  }
  return (
    i32x4.extract_lane(total, 0) +
    i32x4.extract_lane(total, 1) +
    i32x4.extract_lane(total, 2) +
    i32x4.extract_lane(total, 3)
  );
}
