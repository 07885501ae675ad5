/** The path of the bus list, apart from its call: a page requests it before the call's code is loaded. */
export const BUS_LIST_PATH = '/api/bus_list';

/** The path of all price calls, apart from them: a change of a route invalidates them without their code. */
export const ROUTE_COSTS_PATH = '/api/route-cost';

/** The path of the home page's figures, requested as the bus list. */
export const HOME_PATH = '/api/home';

/** The page on which a user sets a new password. The token is the fragment of its address, which browsers keep. */
export const PASSWORD_PAGE = '/new-password';

/** The page that is open alone to a user whose role needs a second factor that is not set up. */
export const SECOND_FACTOR_PAGE = '/second-factor';

/** The page to which a provider of OpenID Connect leads back. */
export const OPENID_PAGE = '/openid';

/** The page on which the first administrator of an installation is made, with a token as that page has it. */
export const SETUP_PAGE = '/setup';
