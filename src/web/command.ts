import type { LocalCommand } from '#platform/command-line/command.ts';
import { openLog } from '#platform/observability/log.ts';
import { ConfigFaults } from '#platform/settings.ts';
import { openWeb } from './open.ts';
import { missingSettings, type WebSettings } from './settings.ts';

/** A process of its own kind, like the service: it ends when it is told to. */
export const webCommand = (settings: () => WebSettings): LocalCommand => ({
  name: 'web',
  group: 'Service',
  summary: 'run the pages in a browser: the site and the wallet',
  details:
    'In the sandbox the service runs them, too. They call the front door at API_URL with WEB_KEY and need no database.',
  async runLocally(_args, print) {
    const given = settings();
    const missing = missingSettings(given);
    if (missing.length > 0) throw new ConfigFaults(missing);
    const { host, url, trustProxy, sandbox } = given;
    const web = await openWeb({
      ...{ host, url, trustProxy, port: given.port!, key: given.key!, secret: given.secret! },
      apiUrl: given.apiUrl ?? 'http://localhost:3000',
      sandbox: sandbox && { ...sandbox, staffUrl: sandbox.staffUrl ?? 'http://localhost:3001' },
      log: openLog('info'),
    });
    print(`The pages are at ${url ?? web.url}`);
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    });
    await web.close();
  },
});
