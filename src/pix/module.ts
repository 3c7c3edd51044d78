import { refunds } from '#credit';
import { defineModule } from '#module';
import { provided } from '#platform/service.ts';
import { onCashbackChanged, onCheckoutReturned } from './charges/cancel-charges.ts';
import { pixDiscrepancies } from './commands/pix-discrepancies.ts';
import { pixCharges, pixOrphans, pixPayments } from './commands/pix-lists.ts';
import { pixOrphanAssign, pixOrphanRefund } from './commands/pix-orphan.ts';
import { pixRefunds } from './commands/pix-refunds.ts';
import { pspRegister } from './commands/psp-register.ts';
import { getAdminPixCharges } from './http/get-admin-pix-charges.ts';
import { getAdminPixChargesId } from './http/get-admin-pix-charges-id.ts';
import { getAdminPixDiscrepancies } from './http/get-admin-pix-discrepancies.ts';
import { getAdminPixOrphans } from './http/get-admin-pix-orphans.ts';
import { getAdminPixOrphansId } from './http/get-admin-pix-orphans-id.ts';
import { getAdminPixPayments } from './http/get-admin-pix-payments.ts';
import { getAdminPixPaymentsId } from './http/get-admin-pix-payments-id.ts';
import { getAdminPixRefunds } from './http/get-admin-pix-refunds.ts';
import { getAdminPixRefundsId } from './http/get-admin-pix-refunds-id.ts';
import { getWalletInstallmentsIdPix } from './http/get-wallet-installments-id-pix.ts';
import { getWalletPixId } from './http/get-wallet-pix-id.ts';
import { postAdminPixOrphansIdAssign } from './http/post-admin-pix-orphans-id-assign.ts';
import { postAdminPixOrphansIdRefund } from './http/post-admin-pix-orphans-id-refund.ts';
import { postAdminPixRefundsIdRetry } from './http/post-admin-pix-refunds-id-retry.ts';
import { postWalletInstallmentsIdPix } from './http/post-wallet-installments-id-pix.ts';
import { PIX_CRON, pixTasks } from './jobs.ts';
import { openPix, pixService } from './open-pix.ts';
import { callbackEndpoints } from './payments/callback.ts';
import { pixProblems } from './problems.ts';
import { requestRefunds } from './refunds/request-refunds.ts';
import { pixAuditor } from './reports/audit.ts';
import { pixData } from './reports/personal-data.ts';
import { pixSettings } from './settings.ts';
import { purgeNotices } from './store/notices.ts';

const NOTICES_KEPT_MS = 90 * 86_400_000;

export const pixModule = defineModule({
  name: 'pix',
  settings: pixSettings,
  tags: { staff: [{ name: 'Pix', description: 'Money that needs a person to look at it.' }] },
  problems: pixProblems,
  handlers: () => ({
    'cashback.changed': [onCashbackChanged],
    'checkout.returned': [onCheckoutReturned],
  }),
  auditor: pixAuditor,
  personalData: pixData,
  provides: [
    provided(refunds, (tx, customerId, gone, now) =>
      requestRefunds(tx, { clock: { now: () => now } }, customerId, gone),
    ),
  ],
  commands: ({ events, settings }) => [
    pspRegister(settings),
    pixPayments,
    pixCharges,
    pixRefunds(events),
    pixOrphans,
    pixOrphanAssign(events, settings),
    pixOrphanRefund,
    pixDiscrepancies,
  ],
  open(deps) {
    const pix = openPix(deps);
    const { connection } = deps.settings;
    deps.provide(pixService, pix);
    return {
      front: [
        postWalletInstallmentsIdPix(pix),
        getWalletInstallmentsIdPix(pix),
        getWalletPixId(pix),
        ...callbackEndpoints(pix),
      ],
      staff: [
        getAdminPixPayments(pix),
        getAdminPixPaymentsId(pix),
        getAdminPixCharges(pix),
        getAdminPixChargesId(pix),
        getAdminPixRefunds(pix),
        getAdminPixRefundsId(pix),
        postAdminPixRefundsIdRetry(pix),
        getAdminPixOrphans(pix),
        getAdminPixOrphansId(pix),
        postAdminPixOrphansIdAssign(pix),
        postAdminPixOrphansIdRefund(pix),
        getAdminPixDiscrepancies(pix),
      ],
      tasks: pixTasks(pix),
      cron: PIX_CRON,
      housekeeping: (now) => purgeNotices(deps.db, new Date(now.getTime() - NOTICES_KEPT_MS)),
      async start() {
        if (connection) pix.connect(connection);
      },
      stop: () => pix.close(),
    };
  },
});
