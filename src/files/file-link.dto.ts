/** A file in a retrieved push. */
export class FileLinkDto {
  filename: string;
  content_type: string;
  /** Downloads it, for ten minutes, without credentials. */
  url: string;
}
