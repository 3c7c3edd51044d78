import { DAY_MS } from '#core/values/duration.ts';
import { autopay, refunds } from '#credit';
import { defineModule } from '#module';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { bindService } from '#platform/service.ts';
import { pixAuditor } from './audit/audit.ts';
import { findAutopayView } from './autopay/render-autopay.ts';
import { buildCallbackEndpoints } from './callbacks/receive-callback.ts';
import { pspRegister } from './commands/psp-register.ts';
import * as endpoints from './http/index.ts';
import { PIX_CRON, pixTasks } from './jobs.ts';
import { openPix, pixService } from './open-pix.ts';
import { pixPersonalData } from './privacy/personal-data.ts';
import { requestRefunds } from './refunds/request-refunds.ts';
import { pixSettings } from './settings.ts';
import { onCashbackChanged, onCheckoutPaid, onCheckoutReturned } from './settlement/cancel-charges.ts';
import { createPixSearcher } from './staff/search.ts';
import { listIdsOfOldCallbacks, purgeCallbacks } from './store/callbacks.ts';
import { countOpenOrphans } from './store/orphans.ts';
import { countGivenUpRefunds } from './store/refunds.ts';

const CALLBACK_RETENTION_MS = 90 * DAY_MS;

export const pixModule = defineModule({
  name: 'pix',
  settings: pixSettings,
  tags: {
    staff: [
      {
        name: 'Pix',
        paths: ['/admin/pix'],
        description: 'PIX charges, payments and refunds, and payments that need manual action.',
      },
      {
        name: 'Autopay',
        paths: ['/admin/autopay'],
        description: 'Debit authorisations of customers, and their debits.',
      },
    ],
  },
  eventHandlers: () => ({
    'cashback.changed': [onCashbackChanged],
    'checkout.returned': [onCheckoutReturned],
    'checkout.paid': [onCheckoutPaid],
  }),
  auditor: pixAuditor,
  personalData: pixPersonalData,
  provides: [
    bindService(autopay, findAutopayView),
    bindService(refunds, (tx, customerId, reallocation, now) =>
      requestRefunds(tx, { clock: { now: () => now } }, customerId, reallocation),
    ),
  ],
  commands: ({ settings }) => [pspRegister(settings)],
  open(deps) {
    const pix = openPix(deps);
    const { connection } = deps.settings;
    deps.provideService(pixService, pix);
    const builtEndpoints = buildEndpoints(endpoints, pix);
    return {
      ...builtEndpoints,
      partner: [...builtEndpoints.partner, ...buildCallbackEndpoints(pix)],
      search: createPixSearcher(deps.db),
      pendingWork: {
        orphans: () => countOpenOrphans(deps.db),
        failed_refunds: () => countGivenUpRefunds(deps.db),
      },
      tasks: pixTasks(pix),
      cron: PIX_CRON,
      async housekeeping(now) {
        await purgeCallbacks(deps.db, new Date(now.getTime() - CALLBACK_RETENTION_MS));
        await listIdsOfOldCallbacks(deps.db);
      },
      async start() {
        if (connection) pix.connect(connection);
      },
      stop: () => pix.close(),
    };
  },
});
