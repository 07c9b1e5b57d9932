export { createFakeClock, type FakeClock } from './fake-clock.js';
export { createFakeModel, type FakeModel } from './fake-model.js';
export { createNewMemory, unitVector } from './samples.js';
export { type StorageUnderTest, verifyStorage } from './verify-storage.js';
