/** A wrong command line; the message is for whoever started the command. */
export class UsageError extends Error {}
