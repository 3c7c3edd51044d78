import type { Config } from '#platform/config.ts';
import type { CrashPoint, Pix } from './pix.ts';
import { type PspClient, PspUnavailable } from './psp/index.ts';

export type OpenPix = Pix & {
  /** From now on this is the PSP: its address is known only when the service is started. */
  connect(psp: PspClient): void;
  /** Tells the PSP to call us at this front door. */
  register(frontUrl: string): Promise<void>;
  close(): void;
};

export function openPix(
  parts: Omit<Pix, 'psp' | 'key' | 'callbackSecret' | 'crash'> & { config: Config },
): OpenPix {
  const { config, ...rest } = parts;
  const { pixKey, callbackSecret } = config.psp;
  let client: PspClient | undefined;
  const psp = () => {
    if (!client) throw new PspUnavailable('unreachable', 'none', { note: 'the service is starting' });
    return client;
  };
  return {
    ...rest,
    psp,
    key: pixKey,
    callbackSecret,
    crash: crasher(config.crashAt),
    connect(connected) {
      client = connected;
    },
    register: (frontUrl) => psp().putWebhook(pixKey, callbackUrl(frontUrl, callbackSecret)),
    close: () => client?.close(),
  };
}

export function callbackUrl(frontUrl: string, callbackSecret: string): string {
  return `${frontUrl}/psp/callback/${callbackSecret}`;
}

/** 'point', or 'point:N' for the Nth time it is reached. As a power cut would: nothing is finished, nobody is told. */
function crasher(crashAt: string | null): (point: CrashPoint) => void {
  if (crashAt === null) return () => undefined;
  const [wanted, count = '1'] = crashAt.split(':');
  let left = Number(count);
  return (point) => {
    if (point !== wanted) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
