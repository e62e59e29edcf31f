import { catalogueOf } from '../../texts/catalogue.js';
import { PROVIDER_REFUSALS } from './provider-refusals.js';

describe('Refusals of a provider', () => {
  it.each(Object.keys(PROVIDER_REFUSALS))('have a text for administrators: %s', (reason) => {
    expect(catalogueOf('en')).toHaveProperty([`instanceAudit.reason.${reason}`]);
  });
});
