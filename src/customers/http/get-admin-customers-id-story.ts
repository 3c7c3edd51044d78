import { Type } from 'typebox';
import { hasRole } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPages, listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import type { Customers } from '../customers.ts';
import { ofCustomer, StoryLine } from '../schemas.ts';
import { findCustomerId, isCustomer } from '../store.ts';
import { tellStory } from '../tell-story.ts';

export const getAdminCustomersIdStory = ({
  db,
  personalData,
}: Pick<Customers, 'db'> & { personalData: readonly PersonalData[] }) =>
  endpoint('GET /admin/customers/:id/story', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCustomerStory',
    summary: 'Tell what happened to a customer',
    description:
      'Newest first: registration, logins, messages, purchases, payments, extensions, refunds, chargebacks, cashback, invitations and ' +
      'what people of the operator’s changed, in sentences to be read out. Logins and messages are kept for a while only. Names and ' +
      'reasons are masked below `support`.',
    ...ofCustomer,
    query: Type.Object(pageParameters(50)),
    answers: listAnswer('A page of the story.', StoryLine),
    async handler(request, reply) {
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined || !(await isCustomer(db, id))) throw request.notFound();
      return answerPages({ request, reply }, (page) => tellStory(db, personalData, id, page), {
        item: StoryLine,
        path: `/admin/customers/${id}/story`,
        render: (rows) =>
          rows.map(({ at, text, masked = text, ...line }) => ({
            at: at.toISOString(),
            text: hasRole(request.caller, 'support') ? text : masked,
            ...line,
          })),
      });
    },
  });
