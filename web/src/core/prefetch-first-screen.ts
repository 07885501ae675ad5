// The first module of the page: it requests the data of the first screen while the browser still loads the other code.
import { BUS_LIST_PATH, HOME_PATH } from '@ridewatch/contract/paths';
import { pickedIdOf } from './picked-id.ts';
import { startPrefetch } from './prefetch.ts';

const customer = pickedIdOf(new URLSearchParams(location.search).get('customer'));
const ofCustomer = customer === undefined ? '' : `?clientId=${customer}`;
const first = { '/': HOME_PATH + ofCustomer, '/buses': BUS_LIST_PATH }[location.pathname];
if (first) startPrefetch(first);
