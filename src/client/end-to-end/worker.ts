import type { OperationRequest } from './operations.js';
import { respond } from './operations.js';

addEventListener('message', ({ data }: MessageEvent<OperationRequest>) => {
  void respond(data).then((response) => {
    postMessage(response);
  });
});
