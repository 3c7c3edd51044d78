import type { Clock } from '#platform/clock.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { Autopayer } from './autopay/staff-door.ts';
import { getSandboxPsp } from './http/get-sandbox-psp.ts';
import { getSandboxPspDeliveries } from './http/get-sandbox-psp-deliveries.ts';
import { getSandboxPspFaults } from './http/get-sandbox-psp-faults.ts';
import { postSandboxAutopayIdAuthorise } from './http/post-sandbox-autopay-id-authorise.ts';
import { postSandboxAutopayIdCancel } from './http/post-sandbox-autopay-id-cancel.ts';
import { postSandboxAutopayIdRefuse } from './http/post-sandbox-autopay-id-refuse.ts';
import { postSandboxPixTxidPay } from './http/post-sandbox-pix-txid-pay.ts';
import { postSandboxPixTxidReverse } from './http/post-sandbox-pix-txid-reverse.ts';
import { postSandboxPspScan } from './http/post-sandbox-psp-scan.ts';
import { putSandboxPspFaults } from './http/put-sandbox-psp-faults.ts';
import type { PspSimulator } from './simulator.ts';

/** The simulator's endpoints at the staff door. `operatorKey` is filled in on the page. */
export function pspSimulatorEndpoints(parts: {
  simulator: PspSimulator;
  autopay: Omit<Autopayer, 'simulator'>;
  clock: Clock;
  operatorKey: string;
}): Endpoint[] {
  const { simulator, autopay, clock, operatorKey } = parts;
  const autopayer = { simulator, ...autopay };
  return [
    postSandboxPixTxidPay(simulator, () => clock.now()),
    postSandboxPixTxidReverse(simulator),
    postSandboxAutopayIdAuthorise(autopayer),
    postSandboxAutopayIdRefuse(autopayer),
    postSandboxAutopayIdCancel(autopayer),
    getSandboxPspFaults(simulator),
    putSandboxPspFaults(simulator),
    postSandboxPspScan(simulator),
    getSandboxPspDeliveries(simulator),
    getSandboxPsp(operatorKey),
  ];
}
