/** The colours of sealpush.css that a brand's colour is behind, inside or beside. A test compares them. */
export interface Palette {
  page: string;
  surface: string;
  sunken: string;
  /** Of text; also of text on a fill that is too light for white. */
  ink: string;
  quiet: string;
  line: string;
  action: string;
}

export const LIGHT: Palette = {
  page: '#f4f6f5',
  surface: '#fff',
  sunken: '#eef1f0',
  ink: '#16211e',
  quiet: '#53605c',
  line: '#e0e5e3',
  action: '#0b6a60',
};

export const DARK: Palette = {
  page: '#0d1312',
  surface: '#151c1a',
  sunken: '#1d2523',
  ink: '#e8eeeb',
  quiet: '#a3b1ac',
  line: '#29322f',
  action: '#12786d',
};
