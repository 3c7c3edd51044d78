import { defineModule } from '#module';
import { officeAddress, officePort, secretKey, staffPort, webAddress, webPort } from '#platform/config.ts';
import { defineSettings, innerUrl, proxies, type SettingsOf, text, webUrl } from '#platform/settings.ts';
import { pagesCommand } from './command.ts';
import { openOffice, type RunningWeb } from './open.ts';

const NEEDED = 'the back office needs it in live mode';

const officeSettings = defineSettings(
  {
    port: officePort,
    host: {
      name: 'OFFICE_HOST',
      meaning: {
        en: 'address the back office is served on; keep it off the internet',
        pt: 'endereço em que a retaguarda é servida; mantenha fora da internet',
      },
      default: '127.0.0.1',
      read: text,
    },
    url: officeAddress,
    staffUrl: {
      name: 'OFFICE_STAFF_URL',
      meaning: {
        en: 'staff door that the back office calls; required by `semana office` in live',
        pt: 'endereço da API da equipe que a retaguarda chama; obrigatório para `semana office` em produção',
      },
      default: {
        shown: 'http://localhost:STAFF_PORT',
        from: (read) => `http://localhost:${read(staffPort)}`,
      },
      neededInLive: NEEDED,
      read: innerUrl,
    },
    publicSite: {
      name: 'OFFICE_SITE_URL',
      meaning: {
        en: 'address of the site that the back office links to; without it in live mode: no links',
        pt: 'endereço do site a que a retaguarda leva; sem ele, em produção: sem links',
      },
      default: {
        shown: 'WEB_URL',
        from: (read) => read(webAddress) ?? `http://localhost:${read(webPort) || webPort.default}`,
      },
      read: webUrl,
    },
    secret: {
      name: 'OFFICE_SECRET',
      meaning: {
        en: 'base64 of 32 bytes that seal cookies of the back office; required by `semana office` in live',
        pt: 'base64 de 32 bytes que selam os cookies da retaguarda; obrigatório para `semana office` em produção',
      },
      default: { sandbox: btoa('semana-sandbox-semana-escritorio') },
      neededInLive: NEEDED,
      secret: true,
      read: secretKey,
    },
    trustProxy: {
      name: 'OFFICE_TRUST_PROXY',
      meaning: {
        en: 'addresses of proxies before the back office whose X-Forwarded-For is believed',
        pt: 'endereços dos proxies à frente da retaguarda cujo X-Forwarded-For é aceito',
      },
      shown: '(none)',
      read: proxies,
    },
  },
  ({ trustProxy, publicSite, ...office }, { mode }) => ({
    ...office,
    // An address that was set is https in live mode.
    publicSite: mode === 'live' && publicSite.startsWith('http:') ? null : publicSite,
    trustProxy: trustProxy ?? (false as const),
    isSandbox: mode === 'sandbox',
  }),
);

type OfficeSettings = SettingsOf<typeof officeSettings>;

/** The back office uses only the staff door of the service, with the sessions of the people who work in it. */
export const officeModule = defineModule<OfficeSettings>({
  name: 'office',
  settings: officeSettings,
  process: pagesCommand<OfficeSettings>({
    name: 'office',
    summary: 'run the back office in a browser',
    details:
      'In the sandbox the service runs it, too. It calls the staff door at OFFICE_STAFF_URL with the session of who is signed in, and needs neither key nor database.',
    setting: officePort.name,
    what: 'The back office is',
    open: openOffice,
  }),
  open(deps) {
    if (deps.config.mode === 'live') return {};
    const { settings, log } = deps;
    if (settings.port === null) return {};
    const { port, host, url } = settings;
    let office: RunningWeb | undefined;
    return {
      ports: [{ setting: officePort.name, host, port }],
      async start({ staffUrl }) {
        office = await openOffice({ ...settings, staffUrl, port, log });
      },
      cardTop: () => [['Back office', `${url ?? office?.url} (one click signs in as any role)`]],
      stop: () => office?.close(),
    };
  },
});
