/** `noon` is the hours around it, as Chinese names them. */
export type HalfDay = 'morning' | 'noon' | 'evening';

/** Names of halves and parts of a day, without dots and spaces, as devices in their languages write them. */
const NAMES: Readonly<Record<HalfDay, string>> = {
  morning:
    'am vorm dop fm ap дп öö sa पूर्वाह्न পূর্বাহ্ণ முற்பகல் మపూ मपू ص لפנה״צ לפנהצ πμ прп 上午 早上 清晨 凌晨 午前 오전 새벽 아침',
  noon: '中午 正午',
  evening: 'pm nachm odp em ip пп ös ch अपराह्न অপরাহ্ণ பிற்பகல் మసా मउ م אחה״צ אחהצ μμ слп 下午 傍晚 晚上 午後 오후 저녁 밤',
};

const HALVES = new Map(
  Object.entries(NAMES).flatMap(([half, names]) =>
    names.split(' ').map((name): [string, HalfDay] => [compact(name), half as HalfDay]),
  ),
);
/** Names that stand before the time, some without a space. */
const LEADING_NAMES = [...HALVES.keys()].filter((name) => /[^\p{Script=Latin}\p{Script=Cyrillic}]/u.test(name));

/** The half of the day that stands before or after a time; undefined if none does. */
export function halfDayAround(before: string, after: string): HalfDay | undefined {
  const [first = '', second = ''] = after.trimStart().split(' ', 2);
  const lead = compact(before.slice(-MAX_NAME_CHARACTERS));
  const last = before.trimEnd().split(' ').at(-1) ?? '';
  const name =
    LEADING_NAMES.find((one) => lead.endsWith(one)) ??
    [first, first + second, /^[öÖ][öÖsS]$/.test(last) ? last : ''].map(compact).find((one) => HALVES.has(one));
  return name === undefined ? undefined : HALVES.get(name);
}

/** Characters before a time in which the name of its half is. */
const MAX_NAME_CHARACTERS = 12;

function compact(name: string): string {
  return name.normalize('NFKC').replace(/[.\s]/g, '').toLowerCase();
}

/** The hours since midnight; an hour after 12 is one of 24. */
export function toHours(hour: number, half: HalfDay | undefined): number {
  if (half === undefined || hour > 12) return hour;
  if (half === 'noon') return hour < 6 ? hour + 12 : hour;
  return (hour % 12) + (half === 'evening' ? 12 : 0);
}
