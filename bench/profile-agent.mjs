// Loaded into the service by --import: profiles it when the parent process asks, by the inspector protocol.
import { Session } from 'node:inspector/promises';

const CPU_INTERVAL_US = 100;
const HEAP_INTERVAL_BYTES = 8192;

const session = new Session();
session.connect();

const ACTS = {
  async startCpu() {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: CPU_INTERVAL_US });
    await session.post('Profiler.start');
  },
  stopCpu: () => session.post('Profiler.stop'),
  startHeap: () =>
    session.post('HeapProfiler.startSampling', {
      samplingInterval: HEAP_INTERVAL_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    }),
  stopHeap: () => session.post('HeapProfiler.stopSampling'),
};

process.on('message', async (act) => {
  if (Object.hasOwn(ACTS, act)) process.send((await ACTS[act]()) ?? {});
});
process.channel.unref(); // it must not keep the service from stopping
