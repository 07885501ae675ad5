/** The path of the bus list, apart from its call: a page asks for it before the code of the call is there. */
export const BUS_LIST_PATH = '/api/bus_list';

/** Where all calls of prices lie, apart from them: what a change of a route touches is known without their code. */
export const ROUTE_COSTS_PATH = '/api/route-cost';
