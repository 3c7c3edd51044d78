import { type PspRefused, PspUnavailable } from './index.ts';

/** A PSP that rejects a certificate may say so, or just close the connection. */
const CERTIFICATE = /CERT|SSL|TLS|SELF_SIGNED|VERIFY|EPROTO|ECONNRESET/;

const WHAT_TO_DO: Record<PspUnavailable['reason'], string> = {
  unreachable: 'Look at PSP_URL and PSP_TOKEN_URL, and whether this machine may call them.',
  timeout:
    'It may be calling PUBLIC_URL before it answers: see that the service runs and can be reached there, and try again.',
  overloaded: 'Try again in a few minutes.',
  server_error: 'Try again in a few minutes; if it stays so, ask the PSP.',
  garbled: 'Look at PSP_URL: it is the address of the API up to the version, https://…/v2.',
  credentials: 'Look at PSP_CLIENT_ID, PSP_CLIENT_SECRET, PSP_TOKEN_STYLE and PSP_SCOPES.',
  in_doubt: 'Try again: it can be repeated without harm.',
};

/** What the PSP answered, and what the operator can do about it. */
export function explainPsp(error: PspRefused | PspUnavailable): string {
  if (error instanceof PspUnavailable) {
    const isCertificate = error.reason === 'unreachable' && CERTIFICATE.test(error.message);
    const advice = isCertificate
      ? 'Look at our certificate (PSP_CERT and PSP_KEY, or PSP_PFX), and at PSP_CA if theirs is not a public one.'
      : WHAT_TO_DO[error.reason];
    return `${error.message}. ${advice}`;
  }
  const faults = error.violations.map(({ property, reason }) => `  - ${property}: ${reason}`);
  return [`${error.message.replace(/\.$/, '')}. ${adviceOnRefusal(error.status)}`, ...faults].join('\n');
}

function adviceOnRefusal(status: number): string {
  if (status === 403) return 'Ask the PSP to let this client use webhook.write and webhook.read.';
  if (status === 404 || status === 410)
    return 'Look at PIX_KEY, which must be a key of this account, and at PSP_URL.';
  return 'Look at PIX_KEY; the PSP may also have called PUBLIC_URL: see that the service runs and can be reached there.';
}
