// Numbers of a fixed width in bits, four at a time: a vector of 128 bits has a number in each quarter (Lemire and
// Boytsov, "Decoding billions of integers per second through vectorization", 2015).

/** The least width that fits 128 numbers. */
export function widthOf(numbers: usize): u32 {
  let all = i32x4.splat(0);
  for (let at: usize = 0; at < 512; at += 16) all = v128.or(all, v128.load(numbers + at));
  const any =
    i32x4.extract_lane(all, 0) |
    i32x4.extract_lane(all, 1) |
    i32x4.extract_lane(all, 2) |
    i32x4.extract_lane(all, 3);
  return 32 - clz(any);
}

/** Packs 128 numbers into 16 bytes for each bit of their width. */
export function pack(numbers: usize, width: u32, target: usize): void {
  if (width == 0) return;
  let word = i32x4.splat(0);
  let shift: u32 = 0;
  for (let at: usize = 0; at < 512; at += 16) {
    const four = v128.load(numbers + at);
    word = v128.or(word, i32x4.shl(four, shift));
    shift += width;
    if (shift < 32) continue;
    v128.store(target, word);
    target += 16;
    shift -= 32;
    word = shift == 0 ? i32x4.splat(0) : i32x4.shr_u(four, width - shift);
  }
}

/** Unpacks 128 numbers. */
export function unpack(packed: usize, width: u32, target: usize): void {
  if (width == 0) {
    memory.fill(target, 0, 512);
    return;
  }
  const mask = i32x4.splat(width == 32 ? -1 : (1 << width) - 1);
  let word = v128.load(packed);
  let shift: u32 = 0;
  for (let at: usize = 0; at < 512; at += 16) {
    let four = i32x4.shr_u(word, shift);
    shift += width;
    if (shift >= 32 && at < 496) {
      packed += 16;
      word = v128.load(packed);
      shift -= 32;
      if (shift > 0) four = v128.or(four, i32x4.shl(word, width - shift));
    }
    v128.store(target + at, v128.and(four, mask));
  }
}

/** Turns 128 distances, each one less than the step from the number before, into numbers. */
export function addUp(numbers: usize, base: u32): void {
  const none = i32x4.splat(0);
  const one = i32x4.splat(1);
  let sum = i32x4.splat(base);
  for (let at: usize = 0; at < 512; at += 16) {
    let four = i32x4.add(v128.load(numbers + at), one);
    four = i32x4.add(four, i32x4.shuffle(none, four, 0, 4, 5, 6));
    four = i32x4.add(four, i32x4.shuffle(none, four, 0, 0, 4, 5));
    four = i32x4.add(four, sum);
    v128.store(numbers + at, four);
    sum = i32x4.shuffle(four, four, 3, 3, 3, 3);
  }
}
