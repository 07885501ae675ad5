/** IANA zone of the fleets in tests: `TEST_CLOCK=spring` and `autumn` choose one with a clock change. */
export const ZONE = process.env.TEST_ZONE || 'Europe/Moscow';
