import { FROM, NONE_OF, TO, WANTED, WANTED_COUNT } from './layout';

/**
 * Whether a vector meets the lane's filter:
 * its value is within the bounds, and it has a label of each list and no excluded label.
 */
// @ts-expect-error: decorator
@inline
export function meets(lane: usize, value: f64, list: usize): bool {
  if (!(value >= load<f64>(lane + FROM) && value < load<f64>(lane + TO))) return false;
  const end = lane + WANTED + (<usize>load<u32>(lane + WANTED_COUNT) << 2);
  for (let at = lane + WANTED; at < end; ) {
    const head = load<u32>(at);
    const next = at + 4 + (<usize>(head & ~NONE_OF) << 2);
    if (hasAny(list, at + 4, next) == ((head & NONE_OF) != 0)) return false;
    at = next;
  }
  return true;
}

function hasAny(list: usize, from: usize, to: usize): bool {
  for (let at = from; at < to; at += 4) if (has(list, load<u32>(at))) return true;
  return false;
}

/** Whether a list has a label. */
export function has(list: usize, label: u32): bool {
  if (list == 0) return false;
  const end = list + (<usize>load<u32>(list) << 2);
  for (let at = list + 4; at <= end; at += 4) if (load<u32>(at) == label) return true;
  return false;
}
