import { Type } from 'typebox';
import { MOMENTS, OUTCOMES } from '#core/decision.ts';
import { findCustomerId, nameCustomers } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, dayParameters, listAnswer, listParameters } from '#platform/http/listing.ts';
import { idOrPhone, Text } from '#platform/http/schemas.ts';
import type { Decisions } from '../decisions.ts';
import { renderDecision } from '../render.ts';
import { CreditDecisionItem } from '../schemas.ts';
import { listedDecisions } from '../store.ts';

export const getAdminCreditDecisions = ({ db, resolveSearch }: Decisions) =>
  endpoint('GET /admin/credit-decisions', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCreditDecisions',
    summary: 'List credit decisions',
    description: 'With `outcome=review` those that wait for a person.',
    query: Type.Object({
      ...listParameters(),
      q: Type.Optional(Text(100, { description: 'Name, phone or CPF of the customer.' })),
      customer: Type.Optional(idOrPhone({ description: 'Id or phone of the customer.' })),
      outcome: Type.Optional(Type.Enum([...OUTCOMES])),
      moment: Type.Optional(Type.Enum([...MOMENTS], { description: 'Only those decided then.' })),
      ...dayParameters('Decided'),
    }),
    answers: listAnswer('A page of decisions.', CreditDecisionItem),
    async handler(request, reply) {
      const { q, customer, ...filter } = request.query;
      // No customer has an empty id.
      const customerId = customer === undefined ? undefined : ((await findCustomerId(db, customer)) ?? '');
      const target = await resolveSearch(q);
      return answerList(db, { request, reply }, listedDecisions({ ...filter, customerId, target }), {
        item: CreditDecisionItem,
        render: (rows) => nameCustomers(db, rows.map(renderDecision)),
      });
    },
  });
