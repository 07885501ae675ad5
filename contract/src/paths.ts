/** The path of the bus list, apart from its call: a page requests it before the call's code is loaded. */
export const BUS_LIST_PATH = '/api/bus_list';

/** The path of all price calls, apart from them: a change of a route invalidates them without their code. */
export const ROUTE_COSTS_PATH = '/api/route-cost';
