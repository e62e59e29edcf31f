import { showCurrent } from './page/current.js';
import { groupByDays } from './page/days.js';
import { enhance } from './page/enhance.js';
import { openTarget } from './page/fold.js';
import { setUpMenus } from './page/menus.js';
import { setUpSearch } from './page/search.js';
import { setUpSelection } from './page/selection.js';

enhance(document);
showCurrent();
groupByDays(document);
setUpMenus();
setUpSelection();
setUpSearch();
openTarget();
