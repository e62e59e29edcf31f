/** The link of a push, to be copied by hand or with a button. */
export function LinkToCopy({ url }: { url: string }) {
  return (
    <div class="copyable">
      <label for="link">Link</label>
      <div class="row">
        <input id="link" value={url} readOnly autocomplete="off" />
        <button type="button" hidden data-copy="link">
          Copy
        </button>
      </div>
    </div>
  );
}
