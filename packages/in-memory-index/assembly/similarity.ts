import { NORM_FACTOR, PRODUCT_FACTOR, QUERY } from './layout';

/** The sum of the products of a row with the lane's query. The query is scaled so that no sum exceeds 32 bits. */
// @ts-expect-error: decorator
@inline
export function product(lane: usize, row: usize, bytes: usize): i32 {
  let low = i32x4.splat(0);
  let high = i32x4.splat(0);
  let query = lane + QUERY;
  for (let at: usize = 0; at < bytes; at += 16, query += 32) {
    const components = v128.load(row + at);
    low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(components), v128.load(query)));
    high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(components), v128.load(query, 16)));
  }
  return sumOf(i32x4.add(low, high));
}

// @ts-expect-error: decorator
@inline
export function sumOf(lanes: v128): i32 {
  const halves = i32x4.add(lanes, i32x4.shuffle(lanes, lanes, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

/** The cosine of two unit vectors by their Euclidean distance, from their product and the row's squared length. */
// @ts-expect-error: decorator
@inline
export function similarity(lane: usize, product: i32, norm: u32): f64 {
  return 0.5 + <f64>product * load<f64>(lane + PRODUCT_FACTOR) - <f64>norm * load<f64>(lane + NORM_FACTOR);
}
