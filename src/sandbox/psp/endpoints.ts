import type { Clock } from '#platform/clock.ts';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import type { Caller, Endpoint } from '#platform/http/endpoint.ts';
import {
  type AutopayDeps,
  postSandboxAutopayIdAuthorise,
  postSandboxAutopayIdCancel,
  postSandboxAutopayIdRefuse,
} from './http/sandbox-autopay.ts';
import { postSandboxPixTxidPay, postSandboxPixTxidReverse } from './http/sandbox-pix.ts';
import {
  getSandboxPsp,
  getSandboxPspDeliveries,
  getSandboxPspFaults,
  postSandboxPspScan,
  putSandboxPspFaults,
} from './http/sandbox-psp.ts';
import type { PspSimulator } from './simulator.ts';

/** Creates the simulator's endpoint of the partner API: a partner pays codes of its own customers. */
export const createPartnerEndpoints = (deps: {
  simulator: PspSimulator;
  clock: Clock;
  mayPay: (caller: Caller, txid: string) => Promise<boolean>;
}): Endpoint[] => [
  postSandboxPixTxidPay({ ...deps, now: () => deps.clock.now(), access: { scope: 'wallet' } }),
];

/** Creates the simulator's endpoints of the staff API. `operatorKey` is prefilled on the page. */
export function createSimulatorEndpoints(deps: {
  simulator: PspSimulator;
  autopay: Omit<AutopayDeps, 'simulator'>;
  clock: Clock;
  operatorKey: string;
}): Endpoint[] {
  const { simulator, autopay, clock, operatorKey } = deps;
  const autopayDeps = { simulator, ...autopay };
  return [
    postSandboxPixTxidPay({
      simulator,
      now: () => clock.now(),
      access: { scope: 'operator', role: CUSTOMER_ROLES },
      mayPay: async () => true,
    }),
    postSandboxPixTxidReverse(simulator),
    postSandboxAutopayIdAuthorise(autopayDeps),
    postSandboxAutopayIdRefuse(autopayDeps),
    postSandboxAutopayIdCancel(autopayDeps),
    getSandboxPspFaults(simulator),
    putSandboxPspFaults(simulator),
    postSandboxPspScan(simulator),
    getSandboxPspDeliveries(simulator),
    getSandboxPsp(operatorKey),
  ];
}
