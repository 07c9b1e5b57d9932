// Late interaction over signs. Four vectors of the query are compared at a time: each has a lane of a 128-bit vector.
// JavaScript says where everything is; a group of four vectors has its components one after the other, each with four
// lanes.

/**
 * Adds to the score of each passage the greatest similarities of its vectors to the query's vectors.
 *
 * @param table room for 32 bytes per dimension times two
 * @param counts how many vectors each passage has, at least one
 */
export function score(
  dimensions: u32,
  groups: u32,
  query: usize,
  table: usize,
  passages: u32,
  counts: usize,
  signs: usize,
  scores: usize,
): void {
  const bytes: usize = dimensions >> 3;
  for (let group: u32 = 0; group < groups; group++, query += <usize>dimensions << 4) {
    fill(table, query, bytes << 1);
    let at = signs;
    for (let passage: usize = 0; passage < passages; passage++) {
      let greatest = f32x4.splat(-Infinity);
      for (let left = load<u32>(counts + (passage << 2)); left > 0; left--, at += bytes)
        greatest = f32x4.pmax(greatest, similarities(table, at, bytes));
      const sum = scores + (passage << 2);
      store<f32>(
        sum,
        load<f32>(sum) +
          f32x4.extract_lane(greatest, 0) +
          f32x4.extract_lane(greatest, 1) +
          f32x4.extract_lane(greatest, 2) +
          f32x4.extract_lane(greatest, 3),
      );
    }
  }
}

/** For each half of a byte of signs, 16 sums: of its four components with the signs of the pattern. */
function fill(table: usize, query: usize, halves: usize): void {
  for (let half: usize = 0; half < halves; half++, table += 256, query += 64) {
    let none = f32x4.splat(0);
    for (let bit: usize = 0; bit < 4; bit++) none = f32x4.sub(none, v128.load(query + (bit << 4)));
    v128.store(table, none);
    // Each pattern is one without its highest bit, and twice the component of that bit.
    for (let bit: usize = 0; bit < 4; bit++) {
      const component = v128.load(query + (bit << 4));
      const twice = f32x4.add(component, component);
      const size: usize = 16 << bit;
      for (let rest: usize = 0; rest < size; rest += 16)
        v128.store(table + size + rest, f32x4.add(v128.load(table + rest), twice));
    }
  }
}

/** The similarities of a vector's signs to the four vectors of the table. */
// @ts-expect-error: decorator
@inline
function similarities(table: usize, signs: usize, bytes: usize): v128 {
  let low = f32x4.splat(0);
  let high = f32x4.splat(0);
  for (const end = signs + bytes; signs < end; signs++, table += 512) {
    const byte = <usize>load<u8>(signs);
    low = f32x4.add(low, v128.load(table + ((byte & 15) << 4)));
    high = f32x4.add(high, v128.load(table + ((byte >> 4) << 4), 256));
  }
  return f32x4.add(low, high);
}
