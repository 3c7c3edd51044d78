import type { LocalCommand } from '#platform/command-line/command.ts';
import { type Log, openLog } from '#platform/observability/log.ts';
import { ConfigFaults } from '#platform/settings.ts';
import { openWeb, type RunningWeb } from './open.ts';
import type { WebSettings } from './settings.ts';

type PagesSettings = { port: number | null; url: string | null };

/** Pages as a process: it runs until a signal stops it. */
export const pagesCommand =
  <S extends PagesSettings>(pages: {
    name: string;
    summary: string;
    details: string;
    setting: string;
    /** 'The pages are', and then where. */
    what: string;
    open: (options: S & { port: number; log: Log }) => Promise<RunningWeb>;
  }) =>
  (settings: () => S): LocalCommand => ({
    name: pages.name,
    group: 'Service',
    summary: pages.summary,
    details: pages.details,
    async runLocally(_args, print) {
      const given = settings();
      const { port } = given;
      if (port === null)
        throw new ConfigFaults([`${pages.setting} is off; semana ${pages.name} needs a port.`]);
      const running = await pages.open({ ...given, port, log: openLog('info') });
      print(`${pages.what} at ${given.url ?? running.url}`);
      await new Promise<void>((resolve) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
      });
      await running.close();
    },
  });

export const webCommand = pagesCommand<WebSettings>({
  name: 'web',
  summary: 'run the pages in a browser: the site and the wallet',
  details:
    'In the sandbox the service runs them, too. They call the front door at API_URL with WEB_KEY and need no database.',
  setting: 'WEB_PORT',
  what: 'The pages are',
  open: openWeb,
});
