export interface LinkedFile {
  filename: string;
  url: string;
  /** Size in bytes; undefined when the file has been deleted in the meantime. */
  size: number | undefined;
}

/** What the page of an opened push shows of its files. */
export interface DownloadLinks {
  files: LinkedFile[];
  /** Downloads all of them, if there are several. */
  archiveUrl: string | undefined;
  /** How many milliseconds the links still work. Clocks of readers may be wrong, so it is not a time. */
  lifetime: number;
}
