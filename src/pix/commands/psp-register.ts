import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { openLog } from '#platform/observability/log.ts';
import { changeByCommand, recordCreation } from '#platform/privacy/trail.ts';
import { connectPsp } from '../connect-psp.ts';
import { callbackUrl } from '../open-pix.ts';
import { explainPsp } from '../psp/explain-psp.ts';
import { PspRefused, PspUnavailable } from '../psp/index.ts';
import type { PixSettings } from '../settings.ts';

export const pspRegister = (settings: () => PixSettings): Command => ({
  name: 'psp register',
  needs: [settings],
  summary: 'tell the PSP where to call us when money arrives',
  options: { show: { help: 'only say where it calls now' } },
  details:
    'The address is PUBLIC_URL, /psp/callback/ and PSP_CALLBACK_SECRET; the PSP appends /pix. To be done once, and again when one of\nthem changes. Some PSPs call the address at once to see whether it answers: start the service first.\nIn the sandbox the simulator is told by itself.',
  async run(context, args) {
    const { config, db, print, printError } = context;
    const { connection, pixKey, account, callbackSecret, receiver, timeoutMs } = settings();
    if (!connection)
      throw new CommandFault('The PSP is the simulator of the sandbox: the service tells it where to call.');
    if (!config.publicUrl)
      throw new CommandFault('PUBLIC_URL is missing: the PSP must be told an address it can reach.');
    const ours = callbackUrl(config.publicUrl, callbackSecret);
    const psp = connectPsp(connection, { receiver, timeoutMs, log: openLog('silent') });
    try {
      if (!args.has('show')) {
        printError('Asking the PSP; it may call the address first, which can take a minute ...');
        await psp.putWebhook(pixKey, ours);
        if (account) await psp.putAutopayWebhooks(ours);
        const change = changeByCommand(context, 'psp register');
        // The rest of the address is a secret.
        const shown = { callback: new URL(config.publicUrl).origin };
        await db.transaction((tx) => recordCreation(tx, change, { kind: 'psp', id: 'webhook' }, shown));
      }
      const found = await psp.getWebhook(pixKey);
      if (found.kind === 'found' && found.webhook.url === ours) {
        print('The PSP calls this service.');
        return 0;
      }
      throw new CommandFault(
        found.kind === 'found'
          ? `The PSP calls another address, ${placeOf(found.webhook.url)}. ${REGISTER}`
          : `No address is registered at the PSP. ${REGISTER}`,
      );
    } catch (error) {
      if (error instanceof PspRefused || error instanceof PspUnavailable)
        throw new CommandFault(explainPsp(error));
      throw error;
    } finally {
      psp.close();
    }
  },
});

const REGISTER = "'semana psp register' has it call this service.";

/** Without the path, which may be a secret. */
function placeOf(url: string): string {
  return URL.canParse(url) ? `at ${new URL(url).origin}` : 'which is none';
}
