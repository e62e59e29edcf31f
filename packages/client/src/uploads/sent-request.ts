/** A request of a script. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: FormData | Blob;
  /** Signal that cancels it. */
  signal: AbortSignal;
  onProgress?: (sent: number, total: number) => void;
}

export interface ReceivedResponse {
  status: number;
  /** Undefined if it is not JSON: then it comes from something between the browser and the server. */
  content: unknown;
  header: (name: string) => string | null;
}

/** Sends one request. Rejects when there is no response, or it was cancelled. */
export type SendRequest = (request: SentRequest) => Promise<ReceivedResponse>;
