import { expect, test } from 'vitest';
import { createPace, thisMachine } from '../src/pace.js';

test('IDX-4: indexing pauses on a battery, and while other programs want the processors', async () => {
  const machine = { battery: false, load: 1 };
  const open = () => createPace({ load: () => machine.load, isOnBattery: async () => machine.battery });
  const pace = open();
  expect(await pace(400)).toBe(0);
  machine.load = 2;
  expect(await pace(400)).toBe(400);
  machine.battery = true;
  // It looks at the battery only now and then.
  expect([await pace(400), await open()(400), await open()(60_000)]).toEqual([400, 800, 5_000]);
  const unknown = createPace({
    load: () => 0,
    isOnBattery: async () => {
      throw new Error('No battery can be read.');
    },
  });
  expect(await unknown(400)).toBe(0);
  expect([await thisMachine.isOnBattery(), thisMachine.load()]).toEqual([expect.any(Boolean), expect.any(Number)]);
});
