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
    const { port, host, url, key, secret, trustProxy, sandbox } = settings;
    // In live mode the pages are a process of their own.
    if (config.mode === 'live' || port === null) return {};
    let web: RunningWeb | undefined;
    return {
      ports: [{ setting: 'WEB_PORT', host, port }],
      async start({ frontUrl, staffUrl }) {
        const given = { port, host, url, trustProxy, log, key: key!, secret: secret! };
        const tools = sandbox && { ...sandbox, staffUrl: sandbox.staffUrl ?? staffUrl };
        web = await openWeb({ ...given, apiUrl: frontUrl, sandbox: tools });
      },
      cardTop: () => [['Site', `${url ?? web?.url} (begin here, in a browser)`]],
      stop: () => web?.close(),
    };
  },
});
