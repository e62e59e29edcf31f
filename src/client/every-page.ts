import { enhance } from './page/enhance.js';

enhance(document);
