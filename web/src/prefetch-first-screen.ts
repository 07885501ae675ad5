// The first module of all: what the first screen will ask for is under way while the rest is still being read.
import { BUS_LIST_PATH } from '@ridewatch/contract/paths';
import { startPrefetch } from './prefetch.ts';

if (['/', '/buses'].includes(location.pathname)) startPrefetch(BUS_LIST_PATH);
