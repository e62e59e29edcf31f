/** Schemas of values. */

export const text = (description: string, maxLength: number) => ({ type: 'string', maxLength, description });
export const flag = (description: string) => ({ type: 'boolean', description });
export const whole = (minimum: number, maximum: number, description: string) => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});

/** A list of texts, or one text with commas. */
export const list = (description: string, maxItems?: number) => ({
  type: ['array', 'string'],
  items: { type: 'string' },
  maxItems,
  description,
});

/** For what is absent unless it is true. */
export const present = (description: string) => ({ type: 'boolean', const: true, description });

export const time = { type: 'string', format: 'date-time', examples: ['2026-01-01T01:00:00.000Z'] };
export const address = { type: 'string', format: 'uri' };
export const count = { type: 'integer', minimum: 0 };
