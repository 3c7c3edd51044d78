import { endpoint } from '#platform/http/endpoint.ts';
import type { Decisions } from '../decisions.ts';
import { renderDecision } from '../render.ts';
import { CreditDecision, ofDecision } from '../schemas.ts';
import { findDecision, findDecisionCustomer } from '../store.ts';

export const getAdminCreditDecisionsId = ({ db }: Decisions) =>
  endpoint('GET /admin/credit-decisions/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCreditDecision',
    summary: 'Show one credit decision',
    ...ofDecision,
    answers: { 200: { description: 'The decision.', schema: CreditDecision, etag: true } },
    async handler(request) {
      const { id } = request.params;
      const customerId = await findDecisionCustomer(db, id);
      const row = customerId === undefined ? undefined : await findDecision(db, customerId, id);
      return row && renderDecision(row);
    },
  });
