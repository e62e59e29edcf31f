import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

type Encoding = 'br' | 'gzip' | 'identity';

/** Smallest form first. */
const COMPRESSED = ['br', 'gzip'] as const;

const COMPRESSIBLE = /^text\/|^application\/json|^image\/svg/;

/**
 * A file that does not change while the process runs. It is read and compressed at the first request and then kept in
 * memory: later requests open no file, and all slow clients share one copy.
 */
export class StaticFile {
  private readonly forms = new Map<Encoding, Promise<Buffer>>();

  constructor(
    private readonly contentType: string,
    private readonly read: () => Promise<Buffer>,
  ) {}

  /** Responds with the smallest encoding that the client accepts (RFC 9110, 12.5.3). */
  async send(request: Request, response: Response): Promise<void> {
    response.set('Content-Type', this.contentType);
    const encoding = this.isCompressible ? smallestAccepted(request) : 'identity';
    const content = await this.inForm(encoding);
    if (this.isCompressible) response.vary('Accept-Encoding');
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.send(content);
  }

  private get isCompressible(): boolean {
    return COMPRESSIBLE.test(this.contentType);
  }

  /** Created once even for concurrent requests; a failure is not cached. */
  private inForm(encoding: Encoding): Promise<Buffer> {
    let form = this.forms.get(encoding);
    if (!form) {
      form = encoding === 'identity' ? this.read() : this.compressed(encoding);
      this.forms.set(encoding, form);
      form.catch(() => this.forms.delete(encoding));
    }
    return form;
  }

  private async compressed(encoding: 'br' | 'gzip'): Promise<Buffer> {
    const content = await this.inForm('identity');
    if (encoding === 'gzip') return promisify(gzip)(content);
    return promisify(brotliCompress)(content);
  }
}

function smallestAccepted(request: Request): Encoding {
  return COMPRESSED.find((encoding) => request.acceptsEncodings(encoding)) ?? 'identity';
}
