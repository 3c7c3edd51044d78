import { Type } from 'typebox';
import { OUTCOMES } from '#core/decision.ts';
import { findCustomerId } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, listAnswer, listParameters } from '#platform/http/listing.ts';
import { idOrPhone } from '#platform/http/schemas.ts';
import type { Decisions } from '../decisions.ts';
import { renderDecision } from '../render.ts';
import { CreditDecision } from '../schemas.ts';
import { listedDecisions } from '../store.ts';

export const getAdminCreditDecisions = ({ db }: Decisions) =>
  endpoint({
    method: 'GET',
    url: '/admin/credit-decisions',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCreditDecisions',
    summary: 'List credit decisions',
    description: 'With `outcome=review` those that wait for a person.',
    query: Type.Object({
      ...listParameters(),
      customer: Type.Optional(idOrPhone({ description: 'Id or phone of the customer.' })),
      outcome: Type.Optional(Type.Enum([...OUTCOMES])),
    }),
    answers: listAnswer('A page of decisions.', CreditDecision),
    async handler(request, reply) {
      const { customer, outcome } = request.query;
      // No customer has an empty id.
      const customerId = customer === undefined ? undefined : ((await findCustomerId(db, customer)) ?? '');
      return answerList(db, { request, reply }, listedDecisions({ customerId, outcome }), {
        item: CreditDecision,
        render: (rows) => rows.map(renderDecision),
      });
    },
  });
