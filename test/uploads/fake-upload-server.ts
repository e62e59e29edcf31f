import type {
  ReceivedResponse,
  SendRequest,
  SentRequest,
} from '../../packages/client/src/uploads/sent-request.js';

interface Stored {
  length: number;
  metadata: string;
  bytes: Buffer;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  content?: unknown;
  /** Whether it comes from a proxy. */
  isForeign?: boolean;
}

/** What happens to one request: it is answered so, or breaks before or after the server has so many bytes of its body. */
type Fault = Answer | { breaksAfter: number };

/** As much of tus as clients use, in memory. */
export class FakeUploadServer {
  readonly stored = new Map<string, Stored>();
  /** Method and size of the body of each request. */
  readonly requests: string[] = [];
  /** What happens to the next requests of these methods, one after the other. */
  readonly faults: [method: string, fault: Fault][] = [];
  /** Of the largest body that a proxy lets pass. */
  maxBodyBytes = Infinity;
  private begun = 0;

  readonly send: SendRequest = async (request) => {
    const { method, body, signal } = request;
    const bytes = body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : Buffer.alloc(0);
    this.requests.push(body === undefined ? method : `${method} ${bytes.length}`);
    signal.throwIfAborted();
    const fault = this.faults[0]?.[0] === method ? this.faults.shift()?.[1] : undefined;
    if (bytes.length > this.maxBodyBytes) return responseTo({ status: 413, isForeign: true });
    if (fault && 'status' in fault) return responseTo(fault);
    if (!fault) return this.answer(request, bytes);
    this.answer(request, bytes.subarray(0, fault.breaksAfter));
    throw new Error('the line broke');
  };

  private answer({ method, url, headers }: SentRequest, bytes: Buffer): ReceivedResponse {
    if (method === 'POST') return this.begin(headers);
    const upload = this.stored.get(url);
    if (!upload) return responseWith(404);
    if (method === 'PATCH') {
      if (Number(headers['Upload-Offset']) !== upload.bytes.length) return responseWith(409);
      upload.bytes = Buffer.concat([upload.bytes, bytes]);
    }
    const progress = { 'Upload-Offset': `${upload.bytes.length}`, 'Upload-Length': `${upload.length}` };
    return responseWith(method === 'HEAD' ? 200 : 204, progress);
  }

  private begin(headers: Record<string, string>): ReceivedResponse {
    const path = `/uploads/${++this.begun}`;
    const [length, metadata] = [Number(headers['Upload-Length']), headers['Upload-Metadata'] ?? ''];
    this.stored.set(path, { length, metadata, bytes: Buffer.alloc(0) });
    return responseWith(201, { Location: `https://elsewhere.example${path}` });
  }
}

function responseWith(status: number, headers: Record<string, string> = {}): ReceivedResponse {
  return responseTo({ status, headers });
}

function responseTo({ status, headers, content, isForeign = false }: Answer): ReceivedResponse {
  const all: Record<string, string> = { ...(!isForeign && { 'Tus-Resumable': '1.0.0' }), ...headers };
  return { status, content, header: (name) => all[name] ?? null };
}
