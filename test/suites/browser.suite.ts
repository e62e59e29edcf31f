import '../browser/support/browser.js'; // one browser for all
import { runSpecs } from '../support/run-specs.js';

runSpecs('browser');
