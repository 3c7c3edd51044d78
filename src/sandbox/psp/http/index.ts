export {
  postSandboxAutopayIdAuthorise,
  postSandboxAutopayIdCancel,
  postSandboxAutopayIdRefuse,
} from './sandbox-autopay.ts';
export {
  postOwnSandboxPixTxidPay,
  postSandboxPixTxidPay,
  postSandboxPixTxidReverse,
} from './sandbox-pix.ts';
export {
  getSandboxPspDeliveries,
  getSandboxPspFaults,
  postSandboxPspScan,
  putSandboxPspFaults,
} from './sandbox-psp.ts';
