/** Where the fleets of the stories live: `TEST_CLOCK=spring` and `autumn` move them to where the clocks change. */
export const ZONE = process.env.TEST_ZONE || 'Europe/Moscow';
