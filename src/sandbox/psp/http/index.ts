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
  getSandboxPspFaults,
  postSandboxPspScan,
  putSandboxPspFaults,
} from './sandbox-psp.ts';
