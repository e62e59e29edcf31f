/** The colours of sealpush.css behind and inside links, buttons and badges. A test compares them. */
export interface Palette {
  mode: 'light' | 'dark';
  page: string;
  card: string;
  badge: string;
  /** The text on a button of the brand's colour. */
  buttonText: string;
}

export const LIGHT: Palette = {
  mode: 'light',
  page: '#f6f7f6',
  card: '#fff',
  badge: '#e6f4f1',
  buttonText: '#fff',
};

export const DARK: Palette = {
  mode: 'dark',
  page: '#101715',
  card: '#17211e',
  badge: '#12332d',
  buttonText: '#04211d',
};
