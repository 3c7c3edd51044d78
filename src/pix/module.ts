import { DAY_MS } from '#core/duration.ts';
import { autopay, refunds } from '#credit';
import { defineModule } from '#module';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { provided } from '#platform/service.ts';
import { showAutopay } from './autopay/render-autopay.ts';
import { autopayDebits, autopayList } from './commands/autopay-lists.ts';
import { pixCharges, pixDiscrepancies, pixOrphans, pixPayments } from './commands/pix-lists.ts';
import { pixOrphanAssign, pixOrphanRefund } from './commands/pix-orphan.ts';
import { pixPaymentMove } from './commands/pix-payment-move.ts';
import { pixRefunds } from './commands/pix-refunds.ts';
import { pspRegister } from './commands/psp-register.ts';
import * as endpoints from './http/index.ts';
import { PIX_CRON, pixTasks } from './jobs.ts';
import { openPix, pixService } from './open-pix.ts';
import { callbackEndpoints } from './payments/callback.ts';
import { onCashbackChanged, onCheckoutPaid, onCheckoutReturned } from './payments/cancel-charges.ts';
import { requestRefunds } from './refunds/request-refunds.ts';
import { pixAuditor } from './reports/audit.ts';
import { findMoney } from './reports/find-money.ts';
import { pixData } from './reports/personal-data.ts';
import { pixSettings } from './settings.ts';
import { purgeNotices } from './store/notices.ts';
import { countOrphans } from './store/orphans.ts';
import { countGivenUpRefunds } from './store/refunds.ts';

const NOTICES_KEPT_MS = 90 * DAY_MS;

export const pixModule = defineModule({
  name: 'pix',
  settings: pixSettings,
  tags: {
    staff: [
      { name: 'Pix', paths: ['/admin/pix'], description: 'Money that needs a person to look at it.' },
      {
        name: 'Autopay',
        paths: ['/admin/autopay'],
        description: 'Who lets installments be debited, and what came of it.',
      },
    ],
  },
  handlers: () => ({
    'cashback.changed': [onCashbackChanged],
    'checkout.returned': [onCheckoutReturned],
    'checkout.paid': [onCheckoutPaid],
  }),
  auditor: pixAuditor,
  personalData: pixData,
  provides: [
    provided(autopay, showAutopay),
    provided(refunds, (tx, customerId, gone, now) =>
      requestRefunds(tx, { clock: { now: () => now } }, customerId, gone),
    ),
  ],
  commands: ({ events, settings }) => [
    pspRegister(settings),
    pixPayments,
    pixCharges,
    autopayList,
    autopayDebits,
    pixRefunds(events),
    pixOrphans,
    pixOrphanAssign(events, settings),
    pixOrphanRefund,
    pixPaymentMove(events, settings),
    pixDiscrepancies,
  ],
  open(deps) {
    const pix = openPix(deps);
    const { connection } = deps.settings;
    deps.provide(pixService, pix);
    const opened = openEndpoints(endpoints, pix);
    return {
      ...opened,
      front: [...opened.front, ...callbackEndpoints(pix)],
      search: findMoney(deps.db),
      waiting: { orphans: () => countOrphans(deps.db), failed_refunds: () => countGivenUpRefunds(deps.db) },
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
