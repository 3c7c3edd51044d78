import { type Command, CommandError } from '#platform/command-line/command.ts';
import { createLog } from '#platform/observability/log.ts';
import { createCommandAuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { buildCallbackUrl, connectPsp } from '../open-pix.ts';
import { isPspError, type PspRefused, PspUnavailable } from '../psp/index.ts';
import type { PixSettings } from '../settings.ts';

export const pspRegister = (settings: () => PixSettings): Command => ({
  name: 'psp register',
  requiredSettings: [settings],
  summary: 'register the callback URL at the PSP',
  options: { show: { help: 'only show the registered URL' } },
  details:
    'The URL is PUBLIC_URL, /psp/callback/ and PSP_CALLBACK_SECRET; the PSP appends /pix. Run this once, and again when one of them\nchanges. Some PSPs call the URL immediately to check that it responds, so start the service first.\nIn the sandbox the service registers the URL at the simulator automatically.',
  async run(context, args) {
    const { config, db, print, printError } = context;
    const { connection, pixKey, account, callbackSecret, receiver, timeoutMs } = settings();
    if (!connection)
      throw new CommandError(
        'The PSP is the simulator of the sandbox: the service registers the callback URL automatically.',
      );
    if (!config.publicUrl)
      throw new CommandError('PUBLIC_URL is missing: the PSP needs a URL that it can reach.');
    const url = buildCallbackUrl(config.publicUrl, callbackSecret);
    const psp = connectPsp(connection, { receiver, timeoutMs, log: createLog('silent') });
    try {
      if (!args.has('show')) {
        printError('Calling the PSP; it may check the URL first, which can take a minute ...');
        await psp.putWebhook(pixKey, url);
        if (account) await psp.putAutopayWebhooks(url);
        const auditContext = createCommandAuditContext(context, 'psp register');
        // The path of the URL is a secret.
        const auditedFields = { callback: new URL(config.publicUrl).origin };
        await db.transaction((tx) =>
          recordAuditEntry(tx, auditContext, { kind: 'psp', id: 'webhook' }, auditedFields),
        );
      }
      const webhook = await psp.getWebhook(pixKey);
      if (webhook?.url === url) {
        print('The PSP calls this service.');
        return 0;
      }
      throw new CommandError(
        webhook
          ? `The PSP calls another URL, ${describeOrigin(webhook.url)}. ${REGISTER_HINT}`
          : `No URL is registered at the PSP. ${REGISTER_HINT}`,
      );
    } catch (error) {
      throw isPspError(error) ? new CommandError(explainPspError(error)) : error;
    } finally {
      psp.close();
    }
  },
});

const REGISTER_HINT = "Run 'semana psp register' to register this service.";

/** Leaves out the path, which may be a secret. */
const describeOrigin = (url: string): string =>
  URL.canParse(url) ? `at ${new URL(url).origin}` : 'which is invalid';

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

function explainPspError(error: PspRefused | PspUnavailable): string {
  if (error instanceof PspUnavailable) {
    const isCertificate = error.reason === 'unreachable' && CERTIFICATE_ERROR.test(error.message);
    const advice = isCertificate
      ? 'Check our certificate (PSP_CERT and PSP_KEY, or PSP_PFX), and PSP_CA if the certificate of the PSP is not from a public CA.'
      : ADVICE[error.reason];
    return `${error.message}. ${advice}`;
  }
  const violations = error.violations.map(({ property, reason }) => `  - ${property}: ${reason}`);
  return [`${error.message.replace(/\.$/, '')}. ${adviseOnRefusal(error.status)}`, ...violations].join('\n');
}

function adviseOnRefusal(status: number): string {
  if (status === 403) return 'Ask the PSP to grant this client the scopes webhook.write and webhook.read.';
  if (status === 404 || status === 410)
    return 'Check PIX_KEY, which must be a key of this account, and PSP_URL.';
  return 'Check PIX_KEY; the PSP may also have called PUBLIC_URL: check that the service runs and is reachable there.';
}
