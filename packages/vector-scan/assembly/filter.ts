import { FROM, TO, WANTED, WANTED_COUNT } from './layout';

/** Whether a vector meets the lane's filter: its value is within the bounds, and it has all labels. */
// @ts-expect-error: decorator
@inline
export function meets(lane: usize, value: f64, list: usize): bool {
  if (!(value >= load<f64>(lane + FROM) && value < load<f64>(lane + TO))) return false;
  const wanted = load<u32>(lane + WANTED_COUNT);
  for (let at: u32 = 0; at < wanted; at++)
    if (!has(list, load<u32>(lane + WANTED + (<usize>at << 2)))) return false;
  return true;
}

function has(list: usize, label: u32): bool {
  if (list == 0) return false;
  const end = list + (<usize>load<u32>(list) << 2);
  for (let at = list + 4; at <= end; at += 4) if (load<u32>(at) == label) return true;
  return false;
}
