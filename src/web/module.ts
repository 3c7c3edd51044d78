import { defineModule } from '#module';
import { webCommand } from './command.ts';
import { openWeb, type RunningWeb } from './open.ts';
import { type WebSettings, webSettings } from './settings.ts';

/** A partner application that lives in the same repository: all it has of the service is its front door. */
export const webModule = defineModule<WebSettings>({
  name: 'web',
  settings: webSettings,
  process: webCommand,
  open({ config, settings, log }) {
    // In live mode the pages are a process of their own.
    if (config.mode === 'live' || settings.port === null) return {};
    const { port, host, url, sandbox } = settings;
    let web: RunningWeb | undefined;
    return {
      ports: [{ setting: 'WEB_PORT', host, port }],
      async start({ frontUrl, staffUrl }) {
        const here = { apiUrl: frontUrl, sandbox: sandbox && { ...sandbox, staffUrl } };
        web = await openWeb({ ...settings, ...here, port, log });
      },
      cardTop: () => [['Site', `${url ?? web?.url} (begin here, in a browser)`]],
      stop: () => web?.close(),
    };
  },
});
