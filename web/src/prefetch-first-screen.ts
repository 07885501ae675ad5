// The first module of the page: it requests the data of the first screen while the browser still loads the other code.
import { BUS_LIST_PATH } from '@ridewatch/contract/paths';
import { startPrefetch } from './prefetch.ts';

if (['/', '/buses'].includes(location.pathname)) startPrefetch(BUS_LIST_PATH);
