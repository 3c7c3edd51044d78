import { findCustomerId } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { showReferral } from '../render-staff.ts';
import type { Rewards } from '../rewards.ts';
import { CashbackParams, StaffReferral } from '../schemas.ts';

export const getAdminReferralsId = ({ db, clock }: Rewards) =>
  endpoint('GET /admin/referrals/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getReferralOfCustomer',
    summary: 'Show by whom a customer was invited',
    params: CashbackParams,
    notFound: { en: 'Nobody invited this customer.', pt: 'Ninguém convidou este cliente.' },
    answers: { 200: { description: 'The invitation.', schema: StaffReferral } },
    async handler(request) {
      const id = await findCustomerId(db, request.params.id);
      const referral = id === undefined ? undefined : await showReferral(db, id, clock.now());
      if (!referral) throw request.notFound();
      return referral;
    },
  });
