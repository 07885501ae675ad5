import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Named, pageFields, pageOf } from './paging.ts';
import { Id, IdText, Moment, Text } from './primitives.ts';
import { changeOf } from './row-change.ts';

/** 1 active, 2 trial, 3 blocked, 4 archived. */
export const CustomerStatus = z.int().check(z.minimum(1), z.maximum(4));

export const AdminCustomer = z.object({
  id: Id,
  name: z.string(),
  surname: z.nullable(z.string()),
  patronymic: z.nullable(z.string()),
  status: CustomerStatus,
  enabled: z.boolean(),
  /** The customers whose users look after this one, by name. */
  integrators: z.array(Named),
  buses: z.int(),
  users: z.int(),
  created_at: Moment,
});
export type AdminCustomer = z.infer<typeof AdminCustomer>;

/** Most integrators of a customer. */
const MOST_INTEGRATORS = 20;

const CustomerFields = {
  name: Text,
  surname: z.nullable(Text),
  patronymic: z.nullable(Text),
  status: CustomerStatus,
  enabled: z.boolean(),
  integrator_ids: z.array(Id).check(z.maxLength(MOST_INTEGRATORS)),
};

export const listCustomers = endpoint({
  method: 'GET',
  path: '/api/admin/customers',
  summary: 'Customers, a page at a time',
  access: 'admin',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['name', 'status', 'buses', 'users', 'created_at'])),
    status: z.optional(z.enum(['1', '2', '3', '4'])),
    integratorId: z.optional(IdText),
  }),
  response: pageOf(AdminCustomer),
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});

export const findCustomer = endpoint({
  method: 'GET',
  path: '/api/admin/customers/{id}',
  summary: 'A customer',
  access: 'admin',
  params: z.object({ id: IdText }),
  response: AdminCustomer,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const createCustomer = endpoint({
  method: 'POST',
  path: '/api/admin/customers',
  summary: 'Creates a customer',
  access: 'admin',
  body: z.extend(z.partial(z.object(CustomerFields)), { name: Text }),
  response: AdminCustomer,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const updateCustomer = endpoint({
  method: 'PUT',
  path: '/api/admin/customers/{id}',
  summary: 'Changes a customer',
  access: 'admin',
  params: z.object({ id: IdText }),
  body: changeOf(CustomerFields),
  response: AdminCustomer,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});
