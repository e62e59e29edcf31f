import { endThoseOfTest } from './for-tests.js';

jest.setTimeout(60_000);
afterEach(endThoseOfTest);
