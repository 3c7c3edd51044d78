import { alreadyExists, leadClosed, ofLead } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { admitLead } from '../lead-merchant.ts';
import type { Members } from '../members.ts';
import { LeadMerchant, LeadMerchantForm } from '../schemas.ts';

export const postAdminLeadsIdMerchant = ({ db, clock }: Members) =>
  endpoint('POST /admin/leads/:id/merchant', {
    access: { scope: 'operator', role: 'finance' },
    id: 'makeMerchantOfLead',
    summary: 'Make a merchant with its owner of a partner’s form',
    description:
      'In one step: the merchant, its owner, who signs in at the till by the phone of the form, and the form is handled. Name, slug and ' +
      'owner come from the form unless sent. Again: 409 `lead_closed`.',
    ...ofLead,
    body: LeadMerchantForm,
    answers: { 201: { description: 'The merchant and its owner.', schema: LeadMerchant } },
    problems: [leadClosed, alreadyExists],
    handler(request) {
      const change = changeBy(request, clock.now());
      return db.transaction((tx) => admitLead(tx, request.params.id, request.body, change));
    },
  });
