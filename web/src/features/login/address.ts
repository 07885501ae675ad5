/** The keys of the answer of a provider of OpenID Connect (RFC 6749, section 4.1.2). */
export type OpenidAddress = Readonly<Record<'code' | 'state' | 'error', 'anyDay'>>;
