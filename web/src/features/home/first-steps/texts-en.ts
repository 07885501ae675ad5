import type { FirstStepsTexts } from './texts-ru.ts';

// British: no comma before the last one, as in the rest of the product.
const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** English texts of the first steps. */
export const en: FirstStepsTexts = {
  title: 'First steps',
  text: (done, all) =>
    `${done} of ${all} done. This list disappears when the first passenger is counted.`,
  failed: 'first steps',
  done: 'done',
  guide: 'How it fits together',
  protocols: 'How to connect:',
  closedPort: (name, port, why) =>
    `Port ${port} (${name}) is closed now: ${why}. No unit can connect by it: tell the person who looks after the server.`,
  next: 'Next step',
  or: 'Or at once',
  finish: { bus: 'Put into the bus', credential: 'Issue a credential' },
  steps: {
    customer: { title: 'Customer', text: 'The company that owns the buses.', action: 'Create' },
    bus: {
      title: 'Bus',
      text: 'Its name, its customer and its time zone, which decides its days.',
      action: 'Create',
    },
    unit: {
      title: 'Unit in the bus',
      text: (protocols) =>
        `The on-board unit of this bus. The credential is shown once; equipment with ${anyOf.format(protocols)} needs none.`,
      action: 'Create',
    },
    camera: {
      title: 'Camera',
      text: 'The name of its stream and the door that it looks at. A unit counts without one, too.',
      action: 'Create',
    },
    position: {
      title: 'First position on the map',
      text: 'The unit said where the bus is. One command tests it. The address for units of other protocols is there, too.',
      action: 'Connect',
    },
    count: {
      title: 'First passenger',
      text: 'The counter of a door sent an event, and the totals of the day have it.',
      action: 'Connect',
    },
  },
};
