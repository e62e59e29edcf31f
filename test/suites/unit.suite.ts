import { runSpecs } from '../support/run-specs.js';

runSpecs('unit');
