import { Message } from './message.js';

/** A download link that has ended, was altered or never existed. */
export function DownloadEnded() {
  return (
    <Message title="This download link has ended">
      <p>Download links work for ten minutes, or until the push is deleted.</p>
      <p>Open the link that you were sent again. If that has ended too, ask the sender for a new one.</p>
    </Message>
  );
}
