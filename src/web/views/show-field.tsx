interface ShowFieldProps {
  /** The id of the field. */
  field: string;
  show: string;
  hide: string;
}

/** A button that shows and hides what is typed in a field. It needs a script. */
export function ShowField({ field, show, hide }: ShowFieldProps) {
  return (
    <button
      type="button"
      class="secondary small"
      hidden
      aria-controls={field}
      data-show={field}
      data-label-show={show}
      data-label-hide={hide}
    >
      {show}
    </button>
  );
}
