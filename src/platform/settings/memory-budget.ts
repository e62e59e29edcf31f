import { totalmem } from 'node:os';
import { GIB, MIB } from './units.js';

/** The options with which `npm start` and the image begin. Another limit of the heap is one that the operator chose. */
const HEAP_OPTIONS = ['--max-old-space-size=1024', '--max-semi-space-size=16'];
const SMALL_HEAP_OPTIONS = ['--max-old-space-size=192', '--max-semi-space-size=4'];
/** With these glibc gives back the buffers of requests when they are freed: docs/decisions/0053. */
const SMALL_HEAP_ENVIRONMENT = { MALLOC_MMAP_THRESHOLD_: '16384', MALLOC_TRIM_THRESHOLD_: '131072' };

/** What the first process of WORKERS takes with MODULES, which load most of the app there as well. */
const SUPERVISOR_BYTES = 140_000_000;
/** Of a machine with 512 MB, the kernel keeps up to a tenth. */
const MIN_BYTES = 460_000_000;

/**
 * How much memory each process may use for what requests bring and take. All of it together, with the heap and what is
 * garbage, fits in 512 MB if the process is small, otherwise in a gibibyte: docs/decisions/0053.
 */
export class MemoryBudget {
  /** Bytes for this process. */
  private readonly share: number;

  /** @param available bytes of memory for all processes */
  constructor(
    private readonly workers: number,
    available = availableBytes(),
  ) {
    this.share = workers === 1 ? available : Math.max(0, available - SUPERVISOR_BYTES) / workers;
  }

  private get isSmall(): boolean {
    return this.share < GIB;
  }

  /** Bytes of the bodies of unfinished requests. */
  get bodies(): number {
    return this.isSmall ? 40 * MIB : 128 * MIB;
  }

  /** Bytes of responses that their clients have not read. */
  get unreadResponses(): number {
    return this.isSmall ? 32 * MIB : 64 * MIB;
  }

  /** Responses that are read from storage while they are sent, each with up to half a megabyte. */
  get streamedResponses(): number {
    return this.isSmall ? 64 : 256;
  }

  /** Long secrets that are retrieved at a time, each in several copies. */
  get retrievals(): number {
    return this.isSmall ? 4 : Infinity;
  }

  /** argon2id hashes at a time, each with 19 MiB. */
  get hashes(): number {
    return this.isSmall ? 2 : Infinity;
  }

  /** Bytes of buffers under ordinary load, those included that were used and not collected yet. */
  get ordinaryBuffers(): number {
    return this.isSmall ? 8 * MIB : 32 * MIB;
  }

  /** Bytes of resident memory beyond which unused objects are collected at once, long texts among them. */
  get ordinaryResident(): number {
    return this.isSmall ? 250_000_000 : Infinity;
  }

  /** A sentence for the operator; undefined if there is enough memory. */
  get shortage(): string | undefined {
    if (this.share >= MIN_BYTES) return undefined;
    const processes = this.workers === 1 ? 'The process' : `Each of ${this.workers} processes`;
    return `${processes} has ${Math.round(this.share / 1e6)} MB of memory and needs 512: it may be killed under load.`;
  }

  /**
   * How a process that was started with these options has to be started, to fit.
   * @returns undefined if that is how it was started, or if the operator has chosen another limit of the heap
   */
  startOf(options: readonly string[]): { options: string[]; environment: NodeJS.ProcessEnv } | undefined {
    if (!this.isSmall || !HEAP_OPTIONS.every((option) => options.includes(option))) return undefined;
    const others = options.filter((option) => !HEAP_OPTIONS.includes(option));
    return {
      options: [...SMALL_HEAP_OPTIONS, ...others],
      environment: { ...SMALL_HEAP_ENVIRONMENT, ...process.env },
    };
  }
}

/** The limit of the container or cgroup, if it is less than the machine has. */
function availableBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
