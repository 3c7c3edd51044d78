import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import {
  LINK_HEADER,
  linkHeader,
  Pagination,
  pageParameters,
  paginationOf,
} from '#platform/http/pagination.ts';
import type { PersonalData } from '#platform/personal-data.ts';
import type { Customers } from '../customers.ts';
import { CustomerParams, StoryLine } from '../schemas.ts';
import { findCustomerId, isCustomer } from '../store.ts';
import { tellStory } from '../tell-story.ts';

export const getAdminCustomersIdStory = ({
  db,
  personalData,
}: Pick<Customers, 'db'> & { personalData: readonly PersonalData[] }) =>
  endpoint({
    method: 'GET',
    url: '/admin/customers/:id/story',
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCustomerStory',
    tag: 'Customers',
    summary: 'Tell what happened to a customer',
    description:
      'Newest first: registration, logins, messages, purchases, payments, extensions, refunds, chargebacks, cashback, invitations and ' +
      'what people of the operator’s changed, in sentences to be read out. Logins and messages are kept for a while only.',
    params: CustomerParams,
    notFound: 'No customer has this id or phone.',
    query: Type.Object(pageParameters(50)),
    answers: {
      200: {
        description: 'A page of the story.',
        schema: Type.Object({ data: Type.Array(StoryLine), pagination: Pagination }),
        headers: LINK_HEADER,
      },
    },
    async handler(request, reply) {
      const { page, limit } = request.query;
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined || !(await isCustomer(db, id))) throw request.notFound();
      const { total, lines } = await tellStory(db, personalData, id, { offset: (page - 1) * limit, limit });
      reply.header('link', linkHeader(`/admin/customers/${id}/story`, { page, limit }, total));
      return {
        data: lines.map(({ at, ...line }) => ({ at: at.toISOString(), ...line })),
        pagination: paginationOf({ page, limit }, total),
      };
    },
  });
