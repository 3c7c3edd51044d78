import { cents, describeAmountError, parseReais } from '#core/values/money.ts';
import { addCustomerNames, findCustomerName, findPersonFacts } from '#customers';
import { buildAmountChange } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { createAuditContext, preconditionProblems } from '#platform/privacy/audit-trail.ts';
import { invalidField } from '#platform/problem.ts';
import { answerDecision } from '../answer-review.ts';
import type { DecisionsDeps } from '../decisions.ts';
import { renderDecision } from '../policy.ts';
import { decisionClosed } from '../problems.ts';
import {
  CreditDecision,
  CreditDecisionItem,
  decisionResource,
  ReviewApprovalForm,
  ReviewRefusalForm,
} from '../schemas.ts';
import { decisionList, findDecision, findDecisionCustomerId } from '../store.ts';

export const getAdminCreditDecisions = (deps: DecisionsDeps) =>
  listEndpoint('GET /admin/credit-decisions', deps, decisionList, {
    id: 'listCreditDecisions',
    summary: 'List credit decisions',
    description: '`outcome=review` lists the decisions that are pending.',
    cli: { columns: 'id, customer_id, moment, outcome, limit, reasons, policy_version, decided_at' },
    page: 'A page of decisions.',
    item: CreditDecisionItem,
    render: (rows) => addCustomerNames(deps.db, rows.map(renderDecision)),
  });

export const getAdminCreditDecisionsId = ({ db }: DecisionsDeps) =>
  endpoint('GET /admin/credit-decisions/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCreditDecision',
    summary: 'Get a credit decision',
    ...decisionResource,
    responses: { 200: { description: 'The decision.', schema: CreditDecision, etag: true } },
    async handler(request) {
      const { id } = request.params;
      const customerId = await findDecisionCustomerId(db, id);
      const row = customerId === undefined ? undefined : await findDecision(db, customerId, id);
      return row && renderDecision(row);
    },
  });

export const postAdminCreditDecisionsIdApprove = ({ db, clock, events, settings }: DecisionsDeps) =>
  endpoint('POST /admin/credit-decisions/:id/approve', {
    access: { scope: 'operator', role: 'risk' },
    id: 'approveCreditDecision',
    summary: 'Approve a credit decision',
    description:
      'Approves a pending decision. After a sign-up, the customer gets the first limit of the policy. A purchase can then be accepted by the customer. `limit` sets a new credit limit.',
    ...decisionResource,
    headers: ifMatchHeader,
    body: ReviewApprovalForm,
    bodyOptional: true,
    cli: { confirm: 'This approves the decision {id}.', done: '{id} is approved.' },
    responses: { 200: { description: 'The updated decision.', schema: CreditDecision, etag: true } },
    approval: {
      kind: 'limit',
      async describe({ params: { id }, body }) {
        const newLimit = body?.limit === undefined ? null : parseReais(body.limit);
        const customerId = newLimit === null ? undefined : await findDecisionCustomerId(db, id);
        if (newLimit === null || customerId === undefined) return undefined;
        const { limitCents } = await findPersonFacts(db, customerId);
        if (newLimit <= limitCents) return undefined;
        return {
          amount: newLimit,
          subject: {
            kind: 'customer',
            id: customerId,
            name: (await findCustomerName(db, customerId)) ?? null,
            isPerson: true,
          },
          change: [buildAmountChange('credit_limit', cents(limitCents), newLimit)],
        };
      },
    },
    problems: [...preconditionProblems, decisionClosed],
    async handler(request) {
      const { id } = request.params;
      const { limit, reason } = request.body ?? {};
      if (limit !== undefined && parseReais(limit) === null)
        throw invalidField('/limit', describeAmountError(limit));
      // The audit trail gets no reason: the decision stores it, where an erasure can delete it.
      const auditContext = createAuditContext(request, clock.now());
      return answerDecision(
        { db, events, builtInPolicy: settings.builtInPolicy },
        {
          id,
          reason: reason ?? null,
          outcome: 'approved',
          limit: limit === undefined ? null : parseReais(limit),
        },
        { auditContext, ifMatch: request.headers['if-match'] },
      );
    },
  });

export const postAdminCreditDecisionsIdDecline = ({ db, clock, events, settings }: DecisionsDeps) =>
  endpoint('POST /admin/credit-decisions/:id/decline', {
    access: { scope: 'operator', role: 'risk' },
    id: 'declineCreditDecision',
    summary: 'Decline a credit decision',
    description: 'Declines a pending decision. The customer sees the reason. The limit does not change.',
    ...decisionResource,
    headers: ifMatchHeader,
    body: ReviewRefusalForm,
    cli: { done: '{id} is declined.' },
    responses: { 200: { description: 'The updated decision.', schema: CreditDecision, etag: true } },
    problems: [...preconditionProblems, decisionClosed],
    handler: (request) =>
      answerDecision(
        { db, events, builtInPolicy: settings.builtInPolicy },
        { id: request.params.id, reason: request.body.reason, outcome: 'declined' },
        // The audit trail gets no reason: the decision stores it, where an erasure can delete it.
        { auditContext: createAuditContext(request, clock.now()), ifMatch: request.headers['if-match'] },
      ),
  });
