import { alreadyExists, leadClosed, leadRoute } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { auditContextFor } from '#platform/privacy/audit-trail.ts';
import type { MembersDeps } from '../members.ts';
import { onboardLead } from '../onboard-lead.ts';
import { LeadMerchant, LeadMerchantForm } from '../schemas.ts';

export const postAdminLeadsIdMerchant = ({ db, clock, maxRate }: MembersDeps) =>
  endpoint('POST /admin/leads/:id/merchant', {
    access: { scope: 'operator', role: 'finance' },
    id: 'makeMerchantOfLead',
    summary: 'Create a merchant from a lead',
    description:
      'Creates the merchant and its owner, who logs in with the phone of the lead, and marks the lead as handled. Name, slug and owner ' +
      'default to those of the lead. A repeated request gets 409 `lead_closed`.',
    ...leadRoute,
    body: LeadMerchantForm,
    cli: { done: 'Created merchant {merchant.slug} with the owner {owner.name}, id {owner.id}.' },
    responses: { 201: { description: 'The merchant and its owner.', schema: LeadMerchant } },
    problems: [leadClosed, alreadyExists],
    handler(request) {
      const auditContext = auditContextFor(request, clock.now());
      return db.transaction((tx) =>
        onboardLead(tx, request.params.id, request.body, { auditContext, maxRate }),
      );
    },
  });
