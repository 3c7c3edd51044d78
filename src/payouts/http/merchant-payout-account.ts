import { findMerchantWithPlanById } from '#catalog';
import { codeWrong } from '#customers';
import { memberCodeChecker } from '#members';
import type { Deps } from '#module';
import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { createMemberAuditContext, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { notFound } from '#platform/problem.ts';
import { findPayoutAccount } from '../account-store.ts';
import { payoutAccountAuditEntity, renderAccount, requestAccountChange } from '../payout-account.ts';
import { MERCHANT_NOT_FOUND } from '../problems.ts';
import { OwnPayoutAccount, OwnPayoutAccountForm } from '../schemas.ts';

export const getMerchantPayoutAccount = ({ db }: Deps) =>
  endpoint('GET /merchant/payout-account', {
    access: { scope: 'till', memberRole: 'owner' },
    id: 'getOwnPayoutAccount',
    summary: 'Get your payout account',
    responses: {
      200: { description: 'The account. Its fields are null if none is set.', schema: OwnPayoutAccount },
    },
    handler: async ({ caller }) => renderAccount(await findPayoutAccount(db, caller.merchantId)),
  });

export const putMerchantPayoutAccount = ({ db, clock, findService }: Deps) =>
  endpoint('PUT /merchant/payout-account', {
    access: { scope: 'till', memberRole: 'owner' },
    id: 'changeOwnPayoutAccount',
    summary: 'Change your payout account',
    description:
      'Requires a code that `POST /merchant/auth/otp` sent to your phone. The change takes effect after 24 hours; until then it is returned as ' +
      '`change`, and the current account stays in effect. All owners are notified now and when the change takes effect. Sending the current ' +
      'account cancels a pending change.',
    body: OwnPayoutAccountForm,
    notFound: MERCHANT_NOT_FOUND,
    responses: {
      200: { description: 'The payout account and its pending change.', schema: OwnPayoutAccount },
    },
    problems: [notFound, codeWrong, rateLimited],
    async handler(request) {
      const { caller, body } = request;
      const { merchantId, memberId } = caller;
      const checkCode = findService(memberCodeChecker)!;
      // Called outside the transaction, so that a rollback does not undo the count of wrong attempts.
      const consumeCode = await checkCode(caller, body);
      const auditContext = createMemberAuditContext(request, clock.now());
      const { now } = auditContext;
      return db.transaction(async (tx) => {
        const merchant = await findMerchantWithPlanById(tx, merchantId);
        if (!merchant) throw request.notFound();
        return withAuditedUpdate(
          tx,
          auditContext,
          { entity: payoutAccountAuditEntity, id: merchant.slug },
          async () => {
            await consumeCode(tx, now);
            await requestAccountChange(tx, { merchantId, memberId, now }, body);
          },
        );
      });
    },
  });
