/** Options of Node for the server. */
export const SERVER_FLAGS: readonly string[];
