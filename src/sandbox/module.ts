import { join } from 'node:path';
import { DAY_MS } from '#core/duration.ts';
import { inbox } from '#messages';
import { defineModule } from '#module';
import { pixService } from '#pix';
import { openEndpoints } from '#platform/http/endpoint.ts';
import { isUnderWay } from '#platform/jobs/jobs.ts';
import { SANDBOX_TILL_KEY } from '#web';
import { clockMover } from './clock/move-clock.ts';
import { readSandboxClock, SandboxClock } from './clock/sandbox-clock.ts';
import { demo } from './commands/demo.ts';
import { DEMO_CUSTOMERS } from './demo-customers.ts';
import {
  DEMO_MEMBERS,
  DEMO_MERCHANT,
  DEMO_MERCHANT_KEY,
  DEMO_OPERATOR_KEY,
  DEMO_PARTNER_KEY,
  DEMO_SHOP_URL,
  seedDemo,
} from './demo-data.ts';
import * as endpoints from './http/index.ts';
import { postSandboxBureauReports } from './http/post-sandbox-bureau-reports.ts';
import { inboxData, inboxOf, purgeInbox } from './inbox.ts';
import { recData } from './psp/autopay/store.ts';
import { openSandboxPsp } from './psp/sandbox-psp.ts';
import { purgeDeliveries } from './psp/store/deliveries.ts';
import { ResetFeed } from './reset-feed.ts';
import { sandboxSettings } from './settings.ts';

const KEPT_MS = 30 * DAY_MS;
const DEMO_MEDIA = join(import.meta.dirname, '../../demo/media');

export const sandboxModule = defineModule({
  name: 'sandbox',
  sandboxOnly: true,
  settings: sandboxSettings,
  tags: {
    staff: [
      {
        name: 'Sandbox',
        paths: ['/sandbox'],
        description: 'Tools for trying things out. They do not exist in live mode.',
      },
    ],
  },
  personalData: { tables: { ...inboxData.tables, ...recData.tables } },
  commands: ({ events }) => [demo(events)],
  clock: (parts) => new SandboxClock(parts),
  readClock: readSandboxClock,
  firstStart: (tx, { clock, vault, events }) => seedDemo(tx, clock, vault, events),
  demo: {
    partnerKey: DEMO_PARTNER_KEY,
    operatorKey: DEMO_OPERATOR_KEY,
  },
  open(deps) {
    const { db, log, databaseUrl, settings } = deps;
    const clock = deps.clock as SandboxClock;
    const resetFeed = new ResetFeed(deps.changeFeed);
    deps.find(inbox)?.connect(inboxOf(db.shared, clock));
    const pix = deps.find(pixService)!;
    const psp = pix.settings.connection
      ? null
      : openSandboxPsp({
          settings: pix.settings,
          autopay: { findRecId: pix.findRecId, sync: pix.syncAuthorisation },
          port: settings.pspPort,
          databaseUrl,
          clock,
          log,
        });
    const moveClock = clockMover({
      clock,
      debits: pix.debits,
      tryDebits: psp?.tryDebits ?? (async () => 0),
      log,
    });
    const isAnyUnderWay = async () =>
      (await isUnderWay(db, 'send_urgent_message')) ||
      (await isUnderWay(db, 'notices_of_the_day')) ||
      (await isUnderWay(db, 'send_messages'));
    return {
      staff: [
        ...(psp?.endpoints ?? []),
        postSandboxBureauReports(),
        ...openEndpoints(endpoints, { ...deps, clock, moveClock, resetFeed, isAnyUnderWay }).staff,
      ],
      media: [DEMO_MEDIA],
      async housekeeping(now) {
        await purgeInbox(db, new Date(now.getTime() - KEPT_MS));
        await purgeDeliveries(db, new Date(clock.real.now().getTime() - KEPT_MS));
      },
      ports: psp?.ports ?? [],
      door: { excuse: (begunAtMs) => resetFeed.excuse(begunAtMs) },
      async start({ frontUrl }) {
        await clock.whenCurrent();
        if (!psp) return;
        pix.connect(await psp.start());
        const register = () => psp.keepWebhookRegistered(frontUrl, pix.register);
        register();
        resetFeed.whenReset(register);
      },
      card: ({ staffUrl }) => [
        ...(psp ? [['PSP', `${staffUrl}/sandbox/psp (a simulator: pay codes, let the bank misbehave)`]] : []),
        ['Online shop', `${DEMO_SHOP_URL} (an example; 'npm run shop' opens it)`],
        ['Partner key', DEMO_PARTNER_KEY],
        ['Merchant key', `${DEMO_MERCHANT_KEY} (of ${DEMO_MERCHANT})`],
        [
          'Till key',
          `${SANDBOX_TILL_KEY} (people sign in by code: ${DEMO_MEMBERS.map(({ name, phone, role }) => `${name}, ${role}, ${phone}`).join('; ')})`,
        ],
        ['Operator key', DEMO_OPERATOR_KEY],
        ...DEMO_CUSTOMERS.map(({ name, phone, password }, i) => [
          i === 0 ? 'Customers' : '',
          `${name.padEnd(12)} ${phone}  ${password ?? 'by code, see /sandbox/messages at the staff door'}`,
        ]),
      ],
      stop: () => psp?.stop(),
    };
  },
});
