import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, cursorParameters, listAnswer, SORTS } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { searchCustomers, withOverdue } from '../change-customer.ts';
import type { Customers } from '../customers.ts';
import { renderFound } from '../render-customer.ts';
import { CustomerItem, CustomerSearch } from '../schemas.ts';

export const getAdminCustomers = (customers: Customers) =>
  endpoint('GET /admin/customers', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCustomers',
    summary: 'Find customers by name, phone, e-mail, CPF and status',
    query: Type.Object({
      ...pageParameters(),
      ...cursorParameters(),
      sort: Type.Enum([...SORTS], { default: 'oldest', description: 'What comes first.' }),
      ...CustomerSearch,
    }),
    answers: listAnswer('A page of customers.', CustomerItem),
    async handler(request, reply) {
      const { q, name, phone, email, cpf, status } = request.query;
      const search = { q, name, phone, email, cpf };
      const listing = await searchCustomers(customers, { ...search, status });
      return answerList(customers.db, { request, reply }, listing, {
        item: CustomerItem,
        isLinked: Object.values(search).every((given) => given === undefined),
        render: async (rows) =>
          (await withOverdue(customers, rows)).map((customer) => renderFound(customer, customers.people)),
      });
    },
  });
