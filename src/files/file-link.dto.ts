/** A file as a retrieved push tells it. */
export class FileLinkDto {
  filename: string;
  content_type: string;
  /** Downloads it, for ten minutes, without credentials. */
  url: string;
}
