import { showCurrent } from './page/current.js';
import { enhance } from './page/enhance.js';

enhance(document);
showCurrent();
