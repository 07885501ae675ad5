/** A wrong command line; the message is for the user who started the command. */
export class UsageError extends Error {}
