import { findMerchantWithPlan } from '#catalog';
import type { Deps } from '#module';
import { listChanges } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { preconditionProblems, updateForStaff } from '#platform/privacy/audit-trail.ts';
import { findPayoutAccount } from '../account-store.ts';
import {
  cancelAccountChange,
  parseAccount,
  payoutAccountAuditEntity,
  renderAccount,
  setPayoutAccount,
} from '../payout-account.ts';
import { noAccountChange } from '../problems.ts';
import { merchantRoute, PayoutAccount, PayoutAccountForm } from '../schemas.ts';

export const getAdminMerchantsSlugPayoutAccount = ({ db }: Deps) =>
  endpoint('GET /admin/merchants/:slug/payout-account', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPayoutAccount',
    summary: 'Get the payout account of a merchant',
    ...merchantRoute,
    responses: {
      200: {
        description: 'The payout account. Its fields are null if none is set.',
        schema: PayoutAccount,
        etag: true,
      },
    },
    async handler(request) {
      const merchant = await findMerchantWithPlan(db, request.params.slug);
      return merchant && renderAccount(await findPayoutAccount(db, merchant.id));
    },
  });

export const putAdminMerchantsSlugPayoutAccount = (deps: Deps) =>
  endpoint('PUT /admin/merchants/:slug/payout-account', {
    access: { scope: 'operator', role: 'finance' },
    id: 'setPayoutAccount',
    summary: 'Set the payout account of a merchant',
    description:
      'Takes effect immediately. Existing payouts stay on their account; pending payouts without an account get this one. Deletes a pending ' +
      'change that an owner requested, and notifies the owners.',
    ...merchantRoute,
    headers: ifMatchHeader,
    body: PayoutAccountForm,
    cli: { confirm: 'This changes where the money of {slug} is paid to.' },
    responses: { 200: { description: 'The payout account.', schema: PayoutAccount, etag: true } },
    approval: {
      kind: 'payout_account',
      async describe({ params: { slug }, body }) {
        const merchant = await findMerchantWithPlan(deps.db, slug);
        if (!merchant) return undefined;
        const { pix_key, holder_name, tax_id } = await findPayoutAccount(deps.db, merchant.id);
        return {
          amount: null,
          subject: { kind: 'merchant', id: slug, name: merchant.name },
          change: listChanges({ pix_key, holder_name, tax_id }, parseAccount(body)),
        };
      },
    },
    problems: preconditionProblems,
    handler(request) {
      const { slug } = request.params;
      const target = { entity: payoutAccountAuditEntity, id: slug, ifMatch: request.headers['if-match'] };
      return updateForStaff(deps, request, target, (tx, now) =>
        setPayoutAccount(tx, slug, request.body, now),
      );
    },
  });

export const deleteAdminMerchantsSlugPayoutAccountChange = (deps: Deps) =>
  endpoint('DELETE /admin/merchants/:slug/payout-account/change', {
    access: { scope: 'operator', role: ['support', 'finance'] },
    id: 'stopPayoutAccountChange',
    summary: 'Cancel the pending change of a payout account',
    description: 'Cancels the change that an owner requested. The current account stays in effect.',
    ...merchantRoute,
    cli: {
      confirm: 'This cancels the pending change of the payout account of {slug}.',
      done: '{slug} is paid as before.',
    },
    responses: { 200: { description: 'The payout account.', schema: PayoutAccount } },
    problems: [noAccountChange],
    handler(request) {
      const { slug } = request.params;
      const target = { entity: payoutAccountAuditEntity, id: slug };
      return updateForStaff(deps, request, target, (tx) => cancelAccountChange(tx, slug));
    },
  });
