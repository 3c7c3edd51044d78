import { alreadyExists, findLead, leadClosed, leadRoute } from '#catalog';
import { listChanges } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import { type MembersDeps, onboardLead, readOwner } from '../members.ts';
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
    cli: {
      confirm: false,
      done: 'Created merchant {merchant.slug} with the owner {owner.name}, id {owner.id}.',
    },
    responses: { 201: { description: 'The merchant and its owner.', schema: LeadMerchant } },
    // Requires an approval, because an owner may set the payout account.
    approval: {
      kind: 'merchant_owner',
      async describe({ params: { id }, body }) {
        const lead = await findLead(db, id);
        if (lead?.status !== 'new') return undefined;
        const { name, phone } = readOwner(lead, body.owner);
        return {
          amount: null,
          subject: { kind: 'lead', id, name: lead.name, isPerson: true },
          change: listChanges(
            {},
            { ...body, owner: { name, phone } },
            { 'owner.name': 'name', 'owner.phone': 'phone' },
          ),
        };
      },
    },
    problems: [leadClosed, alreadyExists],
    handler(request) {
      const auditContext = createAuditContext(request, clock.now());
      return db.transaction((tx) =>
        onboardLead(tx, request.params.id, request.body, { auditContext, maxRate }),
      );
    },
  });
