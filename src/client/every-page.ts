import { enhance } from './enhance.js';

enhance(document);
