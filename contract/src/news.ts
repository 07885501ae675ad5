import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id } from './primitives.ts';

/** An info banner of the bus list. */
export const Message = z.object({ id: Id, title: z.string(), text: z.string() });
export type Message = z.infer<typeof Message>;

export const listActiveMessages = endpoint({
  method: 'GET',
  path: '/api/news/active-messages',
  summary: 'The info banners that are shown now',
  access: 'user',
  response: z.object({ items: z.array(Message), number: z.int(), total: z.int() }),
  errors: ['unauthorized'],
});
