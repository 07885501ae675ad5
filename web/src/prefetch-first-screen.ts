// The first module of the page: it requests the data of the first screen while the browser still loads the other code.
import { BUS_LIST_PATH, HOME_PATH } from '@ridewatch/contract/paths';
import { startPrefetch } from './prefetch.ts';

const first = { '/': HOME_PATH, '/buses': BUS_LIST_PATH }[location.pathname];
if (first) startPrefetch(first);
