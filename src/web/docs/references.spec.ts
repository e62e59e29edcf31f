import type { OpenApiDocument } from './open-api.js';
import { withoutReferences } from './references.js';

const responses = {
  200: {
    description: 'A rose',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Rose' } } },
  },
};

/** A document with one operation. */
const documentWith = (operation: object) =>
  ({
    paths: { '/rose': { post: operation } },
    components: {
      responses: { Rose: responses[200] },
      parameters: {
        colour: { name: 'colour', in: 'query', schema: { $ref: '#/components/schemas/Colour' } },
      },
      schemas: {
        Colour: { type: 'string' },
        Flower: {
          type: 'object',
          properties: { colour: { $ref: '#/components/schemas/Colour' } },
          required: ['colour'],
        },
        Rose: {
          type: 'object',
          allOf: [
            { $ref: '#/components/schemas/Flower' },
            { properties: { thorns: { type: 'integer' } }, required: ['thorns'] },
          ],
        },
      },
    },
  }) as unknown as OpenApiDocument;

const resolved = (operation: object) => withoutReferences(documentWith(operation)).paths['/rose']?.post;

const flower = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] };
const rose = {
  type: 'object',
  properties: { colour: { type: 'string' }, thorns: { type: 'integer' } },
  required: ['colour', 'thorns'],
};

describe('An OpenAPI document without references', () => {
  it('has parameters and responses in their place', () => {
    expect(
      resolved({
        parameters: [{ $ref: '#/components/parameters/colour' }],
        responses: { 200: { $ref: '#/components/responses/Rose' } },
      }),
    ).toEqual({ parameters: [{ name: 'colour', in: 'query', schema: { type: 'string' } }], responses });
  });

  it('has whole schemas in the body of a request, and refers to those of objects elsewhere', () => {
    const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Rose' } } } };

    expect(resolved({ requestBody: body, responses })).toEqual({
      requestBody: { content: { 'application/json': { schema: rose } } },
      responses,
    });
  });

  it('has each schema with everything of those that it consists of', () => {
    expect(withoutReferences(documentWith({})).components.schemas).toEqual({
      Colour: { type: 'string' },
      Flower: flower,
      Rose: rose,
    });
  });
});
