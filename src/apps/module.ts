import { defineModule } from '#module';
import type { LocalCommand } from '#platform/command-line/command.ts';
import { officePort, webPort } from '#platform/config.ts';
import { createLog, type Log } from '#platform/observability/log.ts';
import { defineService, type Service } from '#platform/service.ts';
import { ConfigErrors, type Settings } from '#platform/settings.ts';
import { type OfficeSettings, officeSettings, type WebSettings, webSettings } from './settings.ts';
import { type RunningServer, startOffice, startWeb } from './start.ts';

type ServerSettings = { port: number | null; host: string; url: string | null };

type AppModule<S extends ServerSettings> = {
  /** The name of the module, and of the command that serves the pages in their own process. */
  name: string;
  settings: Settings<S>;
  portSetting: { readonly name: string };
  summary: string;
  details: string;
  /** Printed before the URL, such as 'The pages are'. */
  startedText: string;
  start(options: S & { port: number; log: Log }): Promise<RunningServer>;
  /** Sets the URLs of the APIs if the service itself runs the pages. */
  useLocalApis(settings: S, urls: { partnerUrl: string; staffUrl: string }): S;
  /** Builds the first rows of the banner. A text begins with the URL. */
  buildBannerTop(url: string): Array<[label: string, text: string]>;
  /** The service that is called with the URL once the server listens, if a module provides it. */
  startListener?: Service<(url: string) => Promise<void>>;
};

/** Called with the URL of the site once its server listens. */
export const siteStartListener = defineService<(url: string) => Promise<void>>('site start listener');

/** Defines the module of an app that calls an API of the service. In the sandbox the service runs the app, in live mode its own process. */
const defineAppModule = <S extends ServerSettings>(app: AppModule<S>) =>
  defineModule<S>({
    name: app.name,
    settings: app.settings,
    processCommand: (readSettings): LocalCommand => ({
      name: app.name,
      group: 'Service',
      summary: app.summary,
      details: app.details,
      async runLocally(_args, print) {
        const settings = readSettings();
        const { port } = settings;
        if (port === null)
          throw new ConfigErrors([`${app.portSetting.name} is off; semana ${app.name} needs a port.`]);
        const server = await app.start({ ...settings, port, log: createLog('info') });
        print(`${app.startedText} at ${settings.url ?? server.url}`);
        await new Promise<void>((resolve) => {
          for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
        });
        await server.close();
      },
    }),
    open(deps) {
      // In live mode the pages run in their own process, so this process must not require their settings.
      if (deps.config.mode === 'live') return {};
      const { settings, log } = deps;
      const { port, host, url } = settings;
      if (port === null) return {};
      let server: RunningServer | undefined;
      return {
        ports: [{ setting: app.portSetting.name, host, port }],
        async start(urls) {
          server = await app.start({ ...app.useLocalApis(settings, urls), port, log });
          if (app.startListener) await deps.findService(app.startListener)?.(url ?? server.url);
        },
        bannerTop: () => app.buildBannerTop(url ?? server?.url ?? ''),
        stop: () => server?.close(),
      };
    },
  });

/** The pages are a partner application in the same repository: they use only the partner API of the service. */
export const webModule = defineAppModule<WebSettings>({
  name: 'web',
  settings: webSettings,
  portSetting: webPort,
  summary: 'run the pages for browsers: the site, the wallet and the till',
  details:
    'In the sandbox the service runs them, too. They call the partner API at API_URL with WEB_KEY and need no database.',
  startedText: 'The pages are',
  startListener: siteStartListener,
  start: startWeb,
  useLocalApis: ({ sandbox, ...settings }, { partnerUrl, staffUrl }) => ({
    ...settings,
    apiUrl: partnerUrl,
    sandbox: sandbox && { ...sandbox, staffUrl },
  }),
  buildBannerTop: (url) => [
    ['Site', `${url} (start here, in a browser)`],
    ['Till', `${url}/balcao (sign in with (11) 98765-0011; the code is in the yellow bar)`],
  ],
});

/** The back office uses only the staff API of the service, with the sessions of its staff users. */
export const officeModule = defineAppModule<OfficeSettings>({
  name: 'office',
  settings: officeSettings,
  portSetting: officePort,
  summary: 'run the back office in a browser',
  details:
    'In the sandbox the service runs it, too. It calls the staff API at OFFICE_STAFF_URL with the session of the signed-in user, and needs neither key nor database.',
  startedText: 'The back office is',
  start: startOffice,
  useLocalApis: (settings, { staffUrl }) => ({ ...settings, staffUrl }),
  buildBannerTop: (url) => [['Back office', `${url} (one click signs in as any role)`]],
});
