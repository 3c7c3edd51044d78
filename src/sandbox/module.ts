import { join } from 'node:path';
import { SANDBOX_TILL_KEY, siteStartListener } from '#apps';
import { DAY_MS } from '#core/values/duration.ts';
import { inboxService } from '#messages';
import { defineModule } from '#module';
import { pixService } from '#pix';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { isDueOrRunning } from '#platform/jobs/jobs.ts';
import { createClockMover, readSandboxClock, SandboxClock } from './clock/sandbox-clock.ts';
import { demo } from './commands/demo.ts';
import {
  allowReturnToSite,
  DEMO_CUSTOMERS,
  DEMO_MEMBERS,
  DEMO_MERCHANT_KEY,
  DEMO_MERCHANT_SLUG,
  DEMO_OPERATOR_KEY,
  DEMO_PARTNER_KEY,
  DEMO_SHOP_URL,
  seedEmptyDatabase,
} from './demo-data.ts';
import * as endpoints from './http/index.ts';
import { postSandboxBureauReports } from './http/sandbox-bureau-reports.ts';
import { createInboxSender, inboxPersonalData, isChargeOfPartnersCustomer, purgeInbox } from './inbox.ts';
import { simulatedAuthorisationPersonalData } from './psp/autopay/store.ts';
import { openSandboxPsp } from './psp/sandbox-psp.ts';
import { purgeDeliveries } from './psp/store/deliveries.ts';
import { ResetFeed } from './reset.ts';
import { sandboxSettings } from './settings.ts';

const RETENTION_MS = 30 * DAY_MS;
const DEMO_MEDIA = join(import.meta.dirname, '../../demo/media');

const SANDBOX_TAG = {
  name: 'Sandbox',
  paths: ['/sandbox'],
  description: 'Tools for testing. They do not exist in live mode.',
};

export const sandboxModule = defineModule({
  name: 'sandbox',
  sandboxOnly: true,
  settings: sandboxSettings,
  tags: { partner: [SANDBOX_TAG], staff: [SANDBOX_TAG] },
  personalData: { tables: { ...inboxPersonalData.tables, ...simulatedAuthorisationPersonalData.tables } },
  commands: ({ events }) => [demo(events)],
  replaceClock: (deps) => new SandboxClock(deps),
  readClock: readSandboxClock,
  onFirstStart: seedEmptyDatabase,
  demoKeys: {
    partner: DEMO_PARTNER_KEY,
    merchant: DEMO_MERCHANT_KEY,
    till: SANDBOX_TILL_KEY,
    operator: DEMO_OPERATOR_KEY,
  },
  open(deps) {
    const { db, log, databaseUrl, settings } = deps;
    const clock = deps.clock as SandboxClock;
    const resetFeed = new ResetFeed(deps.changeFeed);
    deps.provideService(siteStartListener, async (url) => {
      await allowReturnToSite(db, url);
      resetFeed.onReset(
        () =>
          void allowReturnToSite(db, url).catch((error: unknown) =>
            log.warn({ err: error }, 'the demo merchant key cannot return customers to the site'),
          ),
      );
    });
    deps.findService(inboxService)?.connect(createInboxSender(db.shared, clock));
    const pix = deps.findService(pixService)!;
    const psp = pix.settings.connection
      ? null
      : openSandboxPsp({
          settings: pix.settings,
          autopay: { findRecId: pix.findRecId, sync: pix.syncAuthorisation },
          mayCallerPay: ({ partnerId }, txid) => isChargeOfPartnersCustomer(db, partnerId, txid),
          port: settings.pspPort,
          databaseUrl,
          clock,
          log,
        });
    const moveClock = createClockMover({
      clock,
      autopaySchedule: pix.autopaySchedule,
      attemptDebits: psp?.attemptDueDebits ?? (async () => undefined),
      log,
    });
    const areMessagesPending = () =>
      isDueOrRunning(db, 'send_urgent_message', 'notices_of_the_day', 'send_messages');
    const builtEndpoints = buildEndpoints(endpoints, {
      ...deps,
      clock,
      moveClock,
      resetFeed,
      areMessagesPending,
    });
    return {
      partner: [...(psp?.partner ?? []), ...builtEndpoints.partner],
      // The endpoint of the bureau is added by hand, because `buildEndpoints` adds endpoints with open access to the partner API.
      staff: [...(psp?.staff ?? []), postSandboxBureauReports(), ...builtEndpoints.staff],
      mediaDirectories: [DEMO_MEDIA],
      async housekeeping(now) {
        await purgeInbox(db, new Date(now.getTime() - RETENTION_MS));
        // Deliveries have the time of the database, not of the sandbox clock.
        await purgeDeliveries(db, new Date(clock.realClock.now().getTime() - RETENTION_MS));
      },
      ports: psp?.ports ?? [],
      apiServer: { explainFailure: (startedAtMs) => resetFeed.explainFailure(startedAtMs) },
      async start({ partnerUrl }) {
        await clock.waitUntilCurrent();
        if (!psp) return;
        pix.connect(await psp.start());
        const registerWebhook = () => psp.registerWebhook(partnerUrl, pix.registerCallbacks);
        registerWebhook();
        resetFeed.onReset(registerWebhook);
      },
      bannerRows: ({ staffUrl }) => [
        ...(psp ? [['PSP', `${staffUrl}/sandbox/psp (simulator: pay codes, inject faults)`]] : []),
        ['Online shop', `${DEMO_SHOP_URL} (example; start it with 'npm run shop')`],
        ['Partner key', DEMO_PARTNER_KEY],
        ['Merchant key', `${DEMO_MERCHANT_KEY} (of ${DEMO_MERCHANT_SLUG})`],
        [
          'Till key',
          `${SANDBOX_TILL_KEY} (members sign in by code: ${DEMO_MEMBERS.map(({ name, phone, role }) => `${name}, ${role}, ${phone}`).join('; ')})`,
        ],
        ['Operator key', DEMO_OPERATOR_KEY],
        ...DEMO_CUSTOMERS.map(({ name, phone, password }, i) => [
          i === 0 ? 'Customers' : '',
          `${name.padEnd(12)} ${phone}  ${password ?? 'signs in by code, see /sandbox/messages of the staff API'}`,
        ]),
      ],
      stop: () => psp?.stop(),
    };
  },
});
