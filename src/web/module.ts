import { defineModule } from '#module';
import { webCommand } from './command.ts';
import { openWeb, type RunningWeb } from './open.ts';
import { type WebSettings, webSettings } from './settings.ts';

/** The pages are a partner application in the same repository: they use only the front door of the service. */
export const webModule = defineModule<WebSettings>({
  name: 'web',
  settings: webSettings,
  process: webCommand,
  open(deps) {
    // In live mode the pages run as a process of their own (`semana web`), with their own settings.
    if (deps.config.mode === 'live') return {};
    const { settings, log } = deps;
    if (settings.port === null) return {};
    const { port, host, url, sandbox } = settings;
    let web: RunningWeb | undefined;
    return {
      ports: [{ setting: 'WEB_PORT', host, port }],
      async start({ frontUrl, staffUrl }) {
        const here = { apiUrl: frontUrl, sandbox: sandbox && { ...sandbox, staffUrl } };
        web = await openWeb({ ...settings, ...here, port, log });
      },
      cardTop: () => [
        ['Site', `${url ?? web?.url} (begin here, in a browser)`],
        ['Till', `${url ?? web?.url}/lado-a-lado (sell something: till and wallet side by side)`],
      ],
      stop: () => web?.close(),
    };
  },
});
