/** Minutes that abbreviations of zones are ahead of UTC. */
const NAMED = new Map(
  Object.entries({
    GMT: 0,
    UTC: 0,
    UT: 0,
    Z: 0,
    WET: 0,
    WEST: 60,
    BST: 60,
    CET: 60,
    MEZ: 60,
    CEST: 120,
    MESZ: 120,
    EET: 120,
    OEZ: 120,
    EEST: 180,
    OESZ: 180,
    MSK: 180,
    IST: 330,
    JST: 540,
    KST: 540,
    AWST: 480,
    AEST: 600,
    AEDT: 660,
    NZST: 720,
    NZDT: 780,
    NST: -210,
    NDT: -150,
    AST: -240,
    ADT: -180,
    EST: -300,
    EDT: -240,
    CST: -360,
    CDT: -300,
    MST: -420,
    MDT: -360,
    PST: -480,
    PDT: -420,
    AKST: -540,
    AKDT: -480,
    HST: -600,
    BRT: -180,
    BRST: -120,
    ART: -180,
  }),
);
const OFFSET = /(?<=^|[ (])(?:GMT|UTC|UT)? ?(?<sign>[+-])(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?(?!\d)/;
const NAME = /(?<=^|[ (\d])(?<name>[A-Z]{1,4})(?![\p{L}\d])/gu;

/**
 * The minutes that the zone named after a time is ahead of UTC; undefined if none is named.
 *
 * @example
 * offsetAfter(' GMT-03:00'); // -180
 */
export function offsetAfter(text: string): number | undefined {
  const { sign, hours, minutes = '0' } = OFFSET.exec(text)?.groups ?? {};
  if (hours !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  for (const { groups } of text.matchAll(NAME)) {
    const offset = NAMED.get(groups?.name ?? '');
    if (offset !== undefined) return offset;
  }
  return undefined;
}
