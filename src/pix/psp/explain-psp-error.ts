import { type PspRefused, PspUnavailable } from './index.ts';

/** A PSP that rejects a certificate may report it, or just close the connection. */
const CERTIFICATE_ERROR = /CERT|SSL|TLS|SELF_SIGNED|VERIFY|EPROTO|ECONNRESET/;

const ADVICE: Record<PspUnavailable['reason'], string> = {
  unreachable: 'Check PSP_URL and PSP_TOKEN_URL, and that this machine may call them.',
  timeout:
    'It may call PUBLIC_URL before it responds: check that the service runs and is reachable there, and try again.',
  overloaded: 'Try again in a few minutes.',
  server_error: 'Try again in a few minutes; if the error persists, contact the PSP.',
  garbled: 'Check PSP_URL: it must be the URL of the API up to the version, https://…/v2.',
  credentials: 'Check PSP_CLIENT_ID, PSP_CLIENT_SECRET, PSP_TOKEN_STYLE and PSP_SCOPES.',
  in_doubt: 'Try again: repeating the command is safe.',
};

/** Describes the error, and what the operator can do about it. */
export function explainPspError(error: PspRefused | PspUnavailable): string {
  if (error instanceof PspUnavailable) {
    const isCertificate = error.reason === 'unreachable' && CERTIFICATE_ERROR.test(error.message);
    const advice = isCertificate
      ? 'Check our certificate (PSP_CERT and PSP_KEY, or PSP_PFX), and PSP_CA if the certificate of the PSP is not from a public CA.'
      : ADVICE[error.reason];
    return `${error.message}. ${advice}`;
  }
  const violations = error.violations.map(({ property, reason }) => `  - ${property}: ${reason}`);
  return [`${error.message.replace(/\.$/, '')}. ${adviceOnRefusal(error.status)}`, ...violations].join('\n');
}

function adviceOnRefusal(status: number): string {
  if (status === 403) return 'Ask the PSP to grant this client the scopes webhook.write and webhook.read.';
  if (status === 404 || status === 410)
    return 'Check PIX_KEY, which must be a key of this account, and PSP_URL.';
  return 'Check PIX_KEY; the PSP may also have called PUBLIC_URL: check that the service runs and is reachable there.';
}
