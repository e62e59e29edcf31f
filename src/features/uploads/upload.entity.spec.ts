import { CHUNK_BYTES } from '../../platform/sealing/chunk-seal.js';
import { FREE_PARTS, MAX_EPOCHS, PartialUpload } from './upload.entity.js';

describe('An upload', () => {
  const uploadWith = (fields: Partial<PartialUpload>) =>
    Object.assign(new PartialUpload(), { appends: 0, received: 0, epochs: [0], ...fields });

  it('of more than a thousand parts needs a chunk in each on average', () => {
    const appends = FREE_PARTS + 500;

    expect(uploadWith({ appends: FREE_PARTS - 1, received: 1 }).isTornApart).toBe(false);
    expect(uploadWith({ appends, received: appends * CHUNK_BYTES }).isTornApart).toBe(false);
    expect(uploadWith({ appends, received: appends * CHUNK_BYTES - 1 }).isTornApart).toBe(true);
  });

  it('may be interrupted a thousand times', () => {
    const epochs = (count: number) => Array.from({ length: count }, (_, chunk) => chunk);

    expect(uploadWith({ epochs: epochs(MAX_EPOCHS - 1) }).isTornApart).toBe(false);
    expect(uploadWith({ epochs: epochs(MAX_EPOCHS) }).isTornApart).toBe(true);
  });
});
