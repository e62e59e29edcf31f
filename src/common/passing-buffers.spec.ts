import { buffersPass } from './passing-buffers.js';

const MEBIBYTE = 1024 * 1024;

describe('Buffers that pass', () => {
  const { gc } = globalThis;

  afterEach(() => (globalThis.gc = gc));

  it('have the young heap collected every four mebibytes', () => {
    const collect = jest.fn();
    globalThis.gc = collect;
    while (collect.mock.calls.length === 0) buffersPass(MEBIBYTE); // some may have passed before

    buffersPass(4 * MEBIBYTE - 1);
    expect(collect).toHaveBeenCalledTimes(1);
    buffersPass(1);
    expect(collect).toHaveBeenCalledTimes(2);
    expect(collect).toHaveBeenLastCalledWith({ type: 'minor' });
  });

  it('are nobody’s care where the process was not started for that', () => {
    globalThis.gc = undefined;

    expect(() => {
      buffersPass(100 * MEBIBYTE);
    }).not.toThrow();
  });
});
