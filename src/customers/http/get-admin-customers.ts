import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import {
  LINK_HEADER,
  linkHeader,
  Pagination,
  pageParameters,
  paginationOf,
} from '#platform/http/pagination.ts';
import { searchCustomers } from '../change-customer.ts';
import type { Customers } from '../customers.ts';
import { renderFound } from '../render-customer.ts';
import { CustomerItem, CustomerSearch } from '../schemas.ts';

export const getAdminCustomers = (customers: Customers) =>
  endpoint({
    method: 'GET',
    url: '/admin/customers',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCustomers',
    tag: 'Customers',
    summary: 'Find customers by name, phone, CPF and status',
    query: Type.Object({ ...pageParameters(), ...CustomerSearch }),
    answers: {
      200: {
        description: 'A page of customers, the oldest first.',
        schema: Type.Object({ data: Type.Array(CustomerItem), pagination: Pagination }),
        headers: LINK_HEADER,
      },
    },
    async handler(request, reply) {
      const { page, limit, ...search } = request.query;
      const at = { offset: (page - 1) * limit, limit };
      const { total, customers: found } = await searchCustomers(customers, search, at);
      // Whom it is about stays out of addresses: they end up in logs and histories.
      const { status } = search;
      if (Object.keys(search).every((name) => name === 'status'))
        reply.header('link', linkHeader('/admin/customers', { page, limit, status }, total));
      return {
        data: found.map((customer) => renderFound(customer, customers.people)),
        pagination: paginationOf({ page, limit }, total),
      };
    },
  });
