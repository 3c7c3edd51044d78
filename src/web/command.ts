import type { LocalCommand } from '#platform/command-line/command.ts';
import { openLog } from '#platform/observability/log.ts';
import { ConfigFaults } from '#platform/settings.ts';
import { openWeb } from './open.ts';
import type { WebSettings } from './settings.ts';

/** The pages as a process: it runs until a signal stops it. */
export const webCommand = (settings: () => WebSettings): LocalCommand => ({
  name: 'web',
  group: 'Service',
  summary: 'run the pages in a browser: the site and the wallet',
  details:
    'In the sandbox the service runs them, too. They call the front door at API_URL with WEB_KEY and need no database.',
  async runLocally(_args, print) {
    const { port, ...given } = settings();
    if (port === null) throw new ConfigFaults(['WEB_PORT is off; semana web needs a port.']);
    const web = await openWeb({ ...given, port, log: openLog('info') });
    print(`The pages are at ${given.url ?? web.url}`);
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    });
    await web.close();
  },
});
