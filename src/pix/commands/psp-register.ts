import { type Command, CommandError } from '#platform/command-line/command.ts';
import { createLog } from '#platform/observability/log.ts';
import { auditContextForCommand, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { connectPsp } from '../connect-psp.ts';
import { buildCallbackUrl } from '../open-pix.ts';
import { explainPspError } from '../psp/explain-psp-error.ts';
import { PspRefused, PspUnavailable } from '../psp/index.ts';
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
        const auditContext = auditContextForCommand(context, 'psp register');
        // The path of the URL is a secret.
        const auditedFields = { callback: new URL(config.publicUrl).origin };
        await db.transaction((tx) =>
          recordAuditEntry(tx, auditContext, { kind: 'psp', id: 'webhook' }, auditedFields),
        );
      }
      const found = await psp.getWebhook(pixKey);
      if (found.kind === 'found' && found.webhook.url === url) {
        print('The PSP calls this service.');
        return 0;
      }
      throw new CommandError(
        found.kind === 'found'
          ? `The PSP calls another URL, ${describeOrigin(found.webhook.url)}. ${REGISTER}`
          : `No URL is registered at the PSP. ${REGISTER}`,
      );
    } catch (error) {
      if (error instanceof PspRefused || error instanceof PspUnavailable)
        throw new CommandError(explainPspError(error));
      throw error;
    } finally {
      psp.close();
    }
  },
});

const REGISTER = "Run 'semana psp register' to register this service.";

/** Leaves out the path, which may be a secret. */
function describeOrigin(url: string): string {
  return URL.canParse(url) ? `at ${new URL(url).origin}` : 'which is invalid';
}
