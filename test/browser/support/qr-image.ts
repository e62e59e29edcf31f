import decode from 'jsqr';
import type { Page } from 'playwright-core';

const SIDE = 400;

/** Runs in the browser. Returns the pixels as a string: a list of them would take a minute to be sent. */
const DRAW = async ({ source, side }: { source: string; side: number }): Promise<string> => {
  const { document, Image } = globalThis as any;
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, side, side);
  const { data } = context.getImageData(0, 0, side, side);
  return Array.from(data as number[], (value) => String.fromCharCode(value)).join('');
};

/** What a camera reads from an image, which the page draws. */
export async function readQrImage(page: Page, source: string): Promise<string | undefined> {
  const drawn = await page.evaluate(DRAW, { source, side: SIDE });
  return decode(Uint8ClampedArray.from(Buffer.from(drawn, 'latin1')), SIDE, SIDE)?.data;
}
